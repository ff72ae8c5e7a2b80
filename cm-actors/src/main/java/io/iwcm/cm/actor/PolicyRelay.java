package io.iwcm.cm.actor;

import io.iwcm.cm.actor.ListenOrder.AnswerPolicy;
import io.iwcm.cm.actor.RelayedConsumer.IsOver;
import io.iwcm.cm.actor.RelayedConsumer.NoMore;
import io.iwcm.cm.actor.RelayedConsumer.Notice;
import io.iwcm.cm.actor.RelayedConsumer.Relayed;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.bridge.Announcement;
import io.iwcm.nic.wire.Octets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the connections of one listener and their application and answers connect requests for it, as the listener's
 * policy says; it alone knows how many there are. It outlives the listener until the last of them is over.
 */
final class PolicyRelay extends AbstractBehavior<Relayed> {

    private static final CmConnection.Reject NO_ROOM = new CmConnection.Reject(Octets.EMPTY);

    private final AnswerPolicy policy;
    private final CmCounters counters;
    private final Map<ConnectionId, Deal> deals = new HashMap<>();
    private int taken;
    private boolean noMore;

    /** What has been decided for one connection. */
    private static final class Deal {
        private boolean counted;
        private long lastNumber;
        private Optional<CmConnection.Call> unanswered = Optional.empty();
    }

    private PolicyRelay(ActorContext<Relayed> context, AnswerPolicy policy, CmCounters counters) {
        super(context);
        this.policy = policy;
        this.counters = counters;
    }

    static Behavior<Relayed> create(AnswerPolicy policy, CmCounters counters) {
        return Behaviors.setup(context -> new PolicyRelay(context, policy, counters));
    }

    @Override
    public Receive<Relayed> createReceive() {
        return newReceiveBuilder()
                .onMessage(Notice.class, notice -> {
                    hear(notice.notice(), notice.application());
                    return this;
                })
                .onMessage(IsOver.class, over -> {
                    release(deals.remove(over.connection().id()));
                    over.application().over(over.connection()).ifPresent(Announcement::send);
                    return stopWhenDone();
                })
                .onMessage(NoMore.class, _ -> {
                    noMore = true;
                    return stopWhenDone();
                })
                .build();
    }

    private Behavior<Relayed> stopWhenDone() {
        return noMore && deals.isEmpty() ? Behaviors.stopped() : this;
    }

    private void hear(CmNotice notice, CmConsumer application) {
        Deal deal = deals.computeIfAbsent(notice.connection().id(), _ -> new Deal());
        switch (notice) {
            case CmNotice.Event(var connection, long number, CmEvent event) -> {
                if (number <= deal.lastNumber) return; // Told before.
                deal.lastNumber = number;
                if (event instanceof CmEvent.ConnectRequest) {
                    decide(connection, deal);
                } else {
                    deal.unanswered = Optional.empty();
                    application.telling(notice).send();
                }
            }
            case CmNotice.Moved(var connection) -> {
                deal.unanswered.ifPresent(
                        call -> call(connection, call)); // The first may be lost; a second is no harm.
                application.telling(notice).send();
            }
        }
    }

    private void decide(CmConnection connection, Deal deal) {
        CmConnection.Call call = switch (policy) {
            case AnswerPolicy.Ask _ -> throw new IllegalStateException("the application wants to be asked");
            case AnswerPolicy.Reject(var data) -> new CmConnection.Reject(data);
            case AnswerPolicy.Accept(var with, int most) -> {
                if (taken < most) {
                    taken++;
                    deal.counted = true;
                    yield new CmConnection.AcceptOrReject(with, NO_ROOM);
                }
                counters.count(CmCounter.ACCEPT_LIMIT_REJECTS);
                yield NO_ROOM;
            }
        };
        deal.unanswered = Optional.of(call);
        call(connection, call);
    }

    private void call(CmConnection connection, CmConnection.Call call) {
        connection.call(call, getContext().getSystem().ignoreRef());
    }

    private void release(@Nullable Deal ended) {
        if (ended != null && ended.counted) taken--;
    }
}
