package io.iwcm.cm.actor;

import io.iwcm.cm.actor.IlqDispatcher.Called;
import io.iwcm.cm.actor.IlqDispatcher.ConsumerFailed;
import io.iwcm.cm.actor.NodeTable.Node;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.nic.spi.QpId;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.apache.pekko.actor.typed.ActorRef;

/** Brings what applications call for to the connections of a bucket, and after those that live elsewhere. */
final class CallRouter {

    private final NodeHome home;
    private final NodeTable table;
    private final NicOrders orders;
    private final ActorRef<Cause> ignored;

    CallRouter(NodeHome home, NodeTable table, NicOrders orders, ActorRef<Cause> ignored) {
        this.home = home;
        this.table = table;
        this.orders = orders;
        this.ignored = ignored;
    }

    /** A connection that is not here may live elsewhere: only the NIC knows. */
    void call(Called called, boolean forwarded) {
        if (table.find(called.connection()).isPresent()) call(called);
        else if (forwarded) gone(called);
        else orders.forward(called.connection().flow(), called, () -> gone(called));
    }

    /** There is nothing left to end. */
    private void gone(Called called) {
        called.replyTo().tell(called.call() instanceof CmConnection.Accept ? Cause.RESET : Cause.NONE);
    }

    void consumerFailed(ConsumerFailed failed, boolean forwarded) {
        Optional<Node> node = table.find(failed.connection());
        if (node.isPresent()) node.get().ref().tell(new CmNode.Happened(new CmInput.ApplicationGone()));
        else if (!forwarded) orders.forward(failed.connection().flow(), failed, () -> {});
    }

    private void call(Called called) {
        switch (called.call()) {
            case CmConnection.Accept accept ->
                accept(called, accept, Optional.empty(), why -> called.replyTo().tell(why));
            case CmConnection.AcceptOrReject(var accept, var reject) -> {
                LongFunction<CmInput> rejecting = rejecting(reject);
                accept(called, accept, Optional.of(rejecting), _ -> pass(called, rejecting));
            }
            case CmConnection.Reject reject -> pass(called, rejecting(reject));
            case CmConnection.Disconnect _ -> pass(called, CmInput.Disconnect::new);
            case CmConnection.Abort _ -> pass(called, CmInput.Abort::new);
        }
    }

    private static LongFunction<CmInput> rejecting(CmConnection.Reject reject) {
        return id -> new CmInput.Reject(id, reject.privateData());
    }

    private void accept(
            Called called,
            CmConnection.Accept accept,
            Optional<LongFunction<CmInput>> otherwise,
            Consumer<Cause> withoutQp) {
        if (accept.qp().isPresent()) {
            accept(called, accept, accept.qp().get(), Optional.empty(), otherwise);
        } else {
            orders.createQp(
                    home.owner(),
                    qp -> accept(called, accept, qp, Optional.of(qp), otherwise),
                    why -> withoutQp.accept(Failures.cause(why)));
        }
    }

    private void accept(
            Called called,
            CmConnection.Accept accept,
            QpId qp,
            Optional<QpId> madeQp,
            Optional<LongFunction<CmInput>> otherwise) {
        LongFunction<CmInput> input = id -> new CmInput.Accept(id, qp, accept.depths(), accept.privateData());
        pass(called, new CmNode.Called(input, madeQp, called.replyTo(), otherwise));
    }

    private void pass(Called called, LongFunction<CmInput> input) {
        pass(called, new CmNode.Called(input, Optional.empty(), called.replyTo()));
    }

    private void pass(Called called, CmNode.Called call) {
        Optional<Node> node = table.find(called.connection());
        if (node.isPresent()) {
            node.get().ref().tell(call);
            return;
        }
        call.madeQp().ifPresent(orders::destroyQp);
        gone(called);
    }

    /** Resets what is half open, closes what is open. */
    void drain(Node node) {
        switch (node.record().state()) {
            case INITED, LISTENING, SYN_RCVD, SYN_SENT, ESTABLISHED, MPAREQ_SENT, MPAREQ_RCVD, LISTENER_DESTROYED ->
                node.ref().tell(new CmNode.Happened(new CmInput.Shutdown()));
            case OFFLOADED -> node.ref().tell(new CmNode.Called(CmInput.Disconnect::new, Optional.empty(), ignored));
            case MPAREJ_RCVD, FIN_WAIT1, FIN_WAIT2, CLOSE_WAIT, TIME_WAIT, LAST_ACK, CLOSING, CLOSED -> {}
        }
    }
}
