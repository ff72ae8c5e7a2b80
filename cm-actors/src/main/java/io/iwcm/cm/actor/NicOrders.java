package io.iwcm.cm.actor;

import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.spi.Letter;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.wire.FlowKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.apache.pekko.actor.typed.ActorRef;

/** An actor's orders to the bridge and what is to be done with their answers; used by that actor's thread alone. */
final class NicOrders {

    /** One row for all, so that an answer to an actor that has restarted meanwhile meets no younger order. */
    private static final AtomicLong IDS = new AtomicLong();

    private final ActorRef<Bridge.Command> bridge;
    private final ActorRef<NicControl.Answer> replyTo;
    private final Optional<Owner> from;
    private final Map<Long, Consumer<NicControl.Answer>> pending = new HashMap<>();

    /**
     * @param replyTo brings answers back to {@link #answered}
     * @param from the dispatcher whose orders they are
     */
    NicOrders(ActorRef<Bridge.Command> bridge, ActorRef<NicControl.Answer> replyTo, Optional<Owner> from) {
        this.bridge = bridge;
        this.replyTo = replyTo;
        this.from = from;
    }

    void order(LongFunction<NicControl> order, Consumer<NicControl.Answer> then) {
        long id = IDS.incrementAndGet();
        pending.put(id, then);
        bridge.tell(new Bridge.Control(order.apply(id), replyTo, from));
    }

    void answered(NicControl.Answer answer) {
        Consumer<NicControl.Answer> then = pending.remove(answer.id());
        if (then != null) then.accept(answer);
        else if (answer instanceof NicControl.QpCreated(long _, var qp)) destroyQp(qp); // Ordered before a restart.
    }

    void createQp(Owner owner, Consumer<QpId> then, Consumer<NicEvent.Failure> otherwise) {
        order(id -> new NicControl.CreateQp(id, Optional.of(owner)), answer -> {
            switch (answer) {
                case NicControl.QpCreated(long _, var qp) -> then.accept(qp);
                case NicControl.Failed(long _, var why) -> otherwise.accept(why);
                case NicControl.Done _, NicControl.FlowOpened _ -> otherwise.accept(NicEvent.Failure.DEVICE);
            }
        });
    }

    /** Passes a letter on to whoever owns the flow now. */
    void forward(FlowKey flow, Letter letter, Runnable whenNobodyDoes) {
        order(id -> new NicControl.Forward(id, flow, letter), answer -> {
            if (answer instanceof NicControl.Failed) whenNobodyDoes.run();
        });
    }

    void destroyQp(QpId qp) {
        order(id -> new NicControl.DestroyQp(id, qp), _ -> {});
    }
}
