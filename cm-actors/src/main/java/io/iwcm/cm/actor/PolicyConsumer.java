package io.iwcm.cm.actor;

import io.iwcm.cm.actor.ListenOrder.AnswerPolicy;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.wire.Octets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;

/** Stands before an application and answers connect requests for it, as its listener's policy says. */
final class PolicyConsumer implements CmConsumer {

    private static final CmConnection.Reject NO_ROOM = new CmConnection.Reject(Octets.EMPTY);

    private final AnswerPolicy policy;
    private final CmConsumer application;
    private final Shared shared;
    private final AtomicBoolean counted = new AtomicBoolean();
    private volatile Optional<Consumer<CmConnection>> decision = Optional.empty();

    /**
     * What the connections of one listener have in common.
     *
     * @param taken how many have been accepted and have not ended
     */
    private record Shared(AtomicInteger taken, CmCounters counters, ActorSystem<?> system) {}

    private PolicyConsumer(AnswerPolicy policy, CmConsumer application, Shared shared) {
        this.policy = policy;
        this.application = application;
        this.shared = shared;
    }

    /** The application itself when it wants to be asked. */
    static CmConsumer of(AnswerPolicy policy, CmConsumer application, CmCounters counters, ActorSystem<?> system) {
        return switch (policy) {
            case AnswerPolicy.Ask _ -> application;
            case AnswerPolicy.Accept _, AnswerPolicy.Reject _ ->
                new PolicyConsumer(policy, application, new Shared(new AtomicInteger(), counters, system));
        };
    }

    @Override
    public CmConsumer of(CmConnection connection) {
        return new PolicyConsumer(policy, application.of(connection), shared);
    }

    @Override
    public void tell(CmNotice notice) {
        switch (notice) {
            case CmNotice.Event(var connection, long _, CmEvent.ConnectRequest _) -> decide(connection);
            case CmNotice.Event event -> {
                decision = Optional.empty();
                application.tell(event);
            }
            case CmNotice.Moved(var connection) -> {
                decision.ifPresent(
                        call -> call.accept(connection)); // The first may be lost; there is no harm in a second.
                application.tell(notice);
            }
        }
    }

    private void decide(CmConnection connection) {
        switch (policy) {
            case AnswerPolicy.Ask _ -> {} // The application is its own consumer then.
            case AnswerPolicy.Reject(var data) -> decide(connection, to -> reject(to, new CmConnection.Reject(data)));
            case AnswerPolicy.Accept(var with, int most) -> {
                counted.set(true);
                if (shared.taken.incrementAndGet() <= most) {
                    decide(connection, to -> to.call(new CmConnection.AcceptOrReject(with, NO_ROOM), ignored()));
                } else {
                    shared.counters.count(CmCounter.ACCEPT_LIMIT_REJECTS);
                    release();
                    decide(connection, to -> reject(to, NO_ROOM));
                }
            }
        }
    }

    private void decide(CmConnection connection, Consumer<CmConnection> call) {
        decision = Optional.of(call);
        call.accept(connection);
    }

    private void reject(CmConnection connection, CmConnection.Reject call) {
        connection.call(call, ignored());
    }

    private ActorRef<Cause> ignored() {
        return shared.system.ignoreRef();
    }

    @Override
    public void ended() {
        release();
        application.ended();
    }

    private void release() {
        if (counted.getAndSet(false)) shared.taken.decrementAndGet();
    }

    @Override
    public Optional<ActorRef<?>> actor() {
        return application.actor();
    }
}
