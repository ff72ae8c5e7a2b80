package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.ConnectSpec;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.wire.FlowKey;
import java.util.List;
import java.util.Optional;

/**
 * What must be there before an active open can begin: a queue pair, then the local end. What was made is given back in
 * reverse when something later fails, and then the caller is refused and no event follows.
 */
final class ActiveOpen {

    /** Makes the node; a cause when it cannot. */
    interface Opener {
        Optional<Cause> open(IlqDispatcher.Connect connect, ConnectSpec spec, boolean inside);
    }

    private final IlqDispatcher.Connect connect;
    private final NodeHome home;
    private final NicOrders orders;
    private final Opener opener;
    private final ConnectOrder order;

    ActiveOpen(IlqDispatcher.Connect connect, NodeHome home, NicOrders orders, Opener opener) {
        this.connect = connect;
        this.home = home;
        this.orders = orders;
        this.opener = opener;
        this.order = connect.order();
    }

    void begin() {
        order.qp()
                .ifPresentOrElse(
                        this::openFlow,
                        () -> orders.createQp(home.owner(), this::openFlow, why -> refuse(Failures.cause(why))));
    }

    private void openFlow(QpId qp) {
        orders.order(
                id -> new NicControl.OpenFlow(id, home.owner(), order.local(), order.remote(), order.vlan()),
                answer -> {
                    switch (answer) {
                        case NicControl.FlowOpened(long _, var flow, boolean inside) -> open(flow, qp, inside);
                        case NicControl.Failed(long _, var why) -> giveBack(qp, Failures.cause(why));
                        case NicControl.Done _, NicControl.QpCreated _ ->
                            giveBack(qp, Failures.cause(NicEvent.Failure.DEVICE));
                    }
                });
    }

    private void open(FlowKey flow, QpId qp, boolean inside) {
        ConnectSpec spec = new ConnectSpec(flow, qp, order.path(), order.wish(), order.fallBack(), order.synTimeout());
        opener.open(connect, spec, inside).ifPresent(cause -> {
            if (cause != Cause.ADDRESS_IN_USE) release(flow); // In use: the flow is somebody else's.
            giveBack(qp, cause);
        });
    }

    private void release(FlowKey flow) {
        NicRequest request = new NicRequest(flow, 0, 1, List.of(new NicCommand.DeleteQuadHash()), Optional.empty());
        home.bridge().tell(new Bridge.Request(home.owner(), request));
    }

    private void giveBack(QpId qp, Cause cause) {
        if (order.qp().isEmpty()) orders.destroyQp(qp);
        refuse(cause);
    }

    private void refuse(Cause cause) {
        connect.answer(new ConnectAnswer.Refused(cause));
    }
}
