package io.iwcm.cm.actor;

import io.iwcm.cm.actor.RelayedConsumer.IsOver;
import io.iwcm.cm.actor.RelayedConsumer.NoMore;
import io.iwcm.cm.actor.RelayedConsumer.Notice;
import io.iwcm.cm.actor.RelayedConsumer.Relayed;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.bridge.Announcement;
import io.iwcm.nic.wire.FlowKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;

/**
 * All that the applications of one member are told of the connections at one bridge elsewhere comes by here. When that bridge
 * has gone, those it was told of and that are not over end with a reset; what still comes from there finds nobody, so nothing
 * is told twice.
 */
public final class BridgeRelay extends AbstractBehavior<Relayed> {

    private record Key(ConnectionId id, FlowKey flow) {
        static Key of(CmConnection connection) {
            return new Key(connection.id(), connection.flow());
        }
    }

    private record Live(CmConsumer application, CmNotice.Event last, boolean stands, boolean disconnected) {}

    private final Map<Key, Live> live = new LinkedHashMap<>();

    private BridgeRelay(ActorContext<Relayed> context, ActorRef<CmGuardian.Command> bridge) {
        super(context);
        context.watch(bridge);
    }

    /** @param bridge the guardian of a bridge on another member */
    public static Behavior<Relayed> create(ActorRef<CmGuardian.Command> bridge) {
        return Behaviors.setup(context -> new BridgeRelay(context, bridge));
    }

    /** Who is to be told at the bridge in place of an application. */
    public static CmConsumer by(ActorRef<Relayed> relay, CmConsumer application) {
        return new RelayedConsumer(relay, application);
    }

    @Override
    public Receive<Relayed> createReceive() {
        return newReceiveBuilder()
                .onMessage(Notice.class, notice -> {
                    if (notice.notice() instanceof CmNotice.Event event) note(notice.application(), event);
                    notice.application().telling(notice.notice()).send();
                    return this;
                })
                .onMessage(IsOver.class, over -> {
                    live.remove(Key.of(over.connection()));
                    over(over.application(), over.connection());
                    return this;
                })
                .onMessage(NoMore.class, _ -> this)
                .onSignal(Terminated.class, _ -> {
                    live.values().forEach(BridgeRelay::reset);
                    return Behaviors.stopped();
                })
                .build();
    }

    private void note(CmConsumer application, CmNotice.Event event) {
        Key key = Key.of(event.connection());
        Live before = live.get(key);
        if (before != null && event.number() <= before.last().number()) return; // Told before.
        boolean stood = before != null && before.stands();
        boolean disconnected = before != null && before.disconnected();
        switch (event.event()) {
            case CmEvent.ConnectRequest _ -> live.put(key, new Live(application, event, false, false));
            case CmEvent.ConnectReply reply ->
                live.put(key, new Live(application, event, reply.outcome() == Cause.NONE, false));
            case CmEvent.Established _ -> live.put(key, new Live(application, event, true, disconnected));
            case CmEvent.Disconnected _ -> live.put(key, new Live(application, event, stood, true));
            case CmEvent.AcceptFailed _, CmEvent.Closed _ -> live.put(key, new Live(application, event, false, true));
        }
    }

    private static void reset(Live one) {
        CmConnection connection = one.last().connection();
        long number = one.last().number();
        if (one.stands()) {
            if (!one.disconnected()) tell(one, ++number, new CmEvent.Disconnected(Cause.RESET));
            tell(one, ++number, new CmEvent.Closed(Cause.RESET));
        } else if (one.last().event() instanceof CmEvent.ConnectRequest) {
            tell(one, ++number, new CmEvent.AcceptFailed(Cause.RESET)); // An accept may have been taken.
        }
        over(one.application(), connection);
    }

    private static void tell(Live one, long number, CmEvent event) {
        one.application()
                .telling(new CmNotice.Event(one.last().connection(), number, event))
                .send();
    }

    private static void over(CmConsumer application, CmConnection connection) {
        application.over(connection).ifPresent(Announcement::send);
    }
}
