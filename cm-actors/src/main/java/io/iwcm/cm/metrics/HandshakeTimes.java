package io.iwcm.cm.metrics;

import io.iwcm.cm.actor.ActorKind;
import io.iwcm.cm.actor.ActorWatch;
import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.actor.ConnectionId;
import io.iwcm.cm.actor.Role;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.Step;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Times the phases of each handshake from what connections report, and tells whoever else observes. A phase that was reached
 * counts, also of a handshake that fails later; the total is that of handshakes that succeeded.
 */
final class HandshakeTimes implements CmObserver {

    /** A phase of a handshake. */
    enum Phase {
        /** From the beginning until TCP stands. */
        TCP,
        /** From there until the reply (active) or the request (passive) is there, and on an active open all is done. */
        MPA,
        /** Passive: from the request until the application has answered. */
        DECISION,
        /** From the beginning until the application is told that the connection stands. */
        TOTAL
    }

    private static final int PHASES = Phase.values().length;
    private static final int CAUSES = Cause.values().length;

    private static final Duration[] BUCKETS = {
        Duration.ofNanos(50_000),
        Duration.ofNanos(100_000),
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofSeconds(180)
    };

    /** Most handshakes under way that are timed; what ends without a word is forgotten after this time. */
    private static final int OPEN_MAX = 1 << 20;

    private static final long FORGET_NS = Duration.ofHours(1).toNanos();

    private static final Set<StateName> BEFORE_SUCCESS = EnumSet.of(
            StateName.INITED,
            StateName.SYN_RCVD,
            StateName.SYN_SENT,
            StateName.ESTABLISHED,
            StateName.MPAREQ_SENT,
            StateName.MPAREQ_RCVD);

    /** Written by its connection's actor alone. */
    private static final class Open {
        private final long beganNs;
        private long phaseNs;
        private boolean over;

        Open(long beganNs) {
            this.beganNs = beganNs;
            this.phaseNs = beganNs;
        }
    }

    private final CmObserver others;
    private final ActorMeters actors;
    private final List<Timer> timers;
    private final List<Counter> failures;
    private final ConcurrentHashMap<ConnectionId, Open> open = new ConcurrentHashMap<>();
    private volatile long lastNs;

    HandshakeTimes(MeterRegistry registry, ActorMeters actors, CmObserver others) {
        this.actors = actors;
        this.others = others;
        this.timers = Arrays.stream(Role.values())
                .flatMap(role -> Arrays.stream(Phase.values()).map(phase -> timer(registry, role, phase)))
                .toList();
        this.failures = Arrays.stream(Role.values())
                .flatMap(role -> Arrays.stream(Cause.values()).map(cause -> failures(registry, role, cause)))
                .toList();
    }

    private static Timer timer(MeterRegistry registry, Role role, Phase phase) {
        return Timer.builder("iwcm_handshake")
                .tag("role", ScrapeNames.label(role))
                .tag("phase", ScrapeNames.label(phase))
                .description("how long each phase of a handshake took, and the successful ones as a whole")
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private static Counter failures(MeterRegistry registry, Role role, Cause cause) {
        return Counter.builder("iwcm_handshake_failures")
                .tag("role", ScrapeNames.label(role))
                .tag("cause", ScrapeNames.label(cause))
                .description("handshakes that applications were told have failed, by cause")
                .register(registry);
    }

    @Override
    public ActorWatch actors(ActorKind kind) {
        return actors.of(kind);
    }

    @Override
    public void began(CmConnection connection, Step first, long nowNs) {
        lastNs = nowNs;
        if (open.size() < OPEN_MAX && BEFORE_SUCCESS.contains(first.next().name())) {
            open.putIfAbsent(connection.id(), new Open(nowNs)); // One that another actor goes on with began before.
        }
        others.began(connection, first, nowNs);
    }

    @Override
    public void stepped(CmConnection connection, StateName from, CmInput input, Step step, long nowNs) {
        Open begun = open.get(connection.id());
        if (begun != null) {
            StateName to = step.next().name();
            if (to != from) moved(connection.role(), begun, from, to, nowNs);
            if (begun.over || to == StateName.CLOSED) open.remove(connection.id());
        }
        others.stepped(connection, from, input, step, nowNs);
    }

    private void moved(Role role, Open begun, StateName from, StateName to, long nowNs) {
        switch (to) {
            case ESTABLISHED, MPAREQ_SENT -> phase(role, Phase.TCP, begun, nowNs);
            case MPAREQ_RCVD -> {
                if (from != StateName.ESTABLISHED) phase(role, Phase.TCP, begun, nowNs);
                phase(role, Phase.MPA, begun, nowNs);
            }
            case OFFLOADED -> phase(role, role == Role.ACTIVE ? Phase.MPA : Phase.DECISION, begun, nowNs);
            case FIN_WAIT1, FIN_WAIT2, CLOSE_WAIT, LAST_ACK, CLOSING -> {
                if (from == StateName.MPAREQ_RCVD) phase(role, Phase.DECISION, begun, nowNs); // It was rejected.
            }
            case INITED, LISTENING, SYN_RCVD, SYN_SENT, MPAREJ_RCVD, TIME_WAIT, LISTENER_DESTROYED, CLOSED -> {}
        }
    }

    private void phase(Role role, Phase phase, Open begun, long nowNs) {
        timer(role, phase).record(nowNs - begun.phaseNs, TimeUnit.NANOSECONDS);
        begun.phaseNs = nowNs;
    }

    private Timer timer(Role role, Phase phase) {
        return timers.get(role.ordinal() * PHASES + phase.ordinal());
    }

    @Override
    public void notified(CmConnection connection, CmEvent event, long nowNs) {
        switch (event) {
            case CmEvent.ConnectReply reply -> over(connection, reply.outcome(), nowNs);
            case CmEvent.Established _ -> over(connection, Cause.NONE, nowNs);
            case CmEvent.AcceptFailed(var cause) -> over(connection, cause, nowNs);
            case CmEvent.ConnectRequest _, CmEvent.Disconnected _, CmEvent.Closed _ -> {}
        }
        others.notified(connection, event, nowNs);
    }

    private void over(CmConnection connection, Cause outcome, long nowNs) {
        Open begun = open.get(connection.id());
        if (begun != null) {
            begun.over = true;
            if (outcome == Cause.REJECTED_ULP) phase(connection.role(), Phase.MPA, begun, nowNs);
        }
        if (outcome != Cause.NONE) {
            failures.get(connection.role().ordinal() * CAUSES + outcome.ordinal())
                    .increment();
        } else if (begun != null) {
            timer(connection.role(), Phase.TOTAL).record(nowNs - begun.beganNs, TimeUnit.NANOSECONDS);
        }
    }

    /** Of connections that ended without a word, which only those do whose code failed twice. */
    void forgetOld() {
        open.values().removeIf(begun -> lastNs - begun.beganNs > FORGET_NS);
    }

    /** How many handshakes and connections it remembers. */
    int remembered() {
        return open.size();
    }

    @Override
    public void frameReceived(byte[] frame, long nowNs) {
        others.frameReceived(frame, nowNs);
    }

    @Override
    public void frameSent(byte[] frame, long nowNs) {
        others.frameSent(frame, nowNs);
    }
}
