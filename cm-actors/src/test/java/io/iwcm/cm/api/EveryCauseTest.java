package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.CmParams.Deadlines;
import io.iwcm.cm.proto.CmParams.MpaDeadlines;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.rnic.RnicConfig;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever goes wrong, a connect ends once, with the cause that it was. */
@Tag("FC-96")
class EveryCauseTest {

    private static final Endpoint PEER = Flows.end("10.0.0.1:4420");
    private static final long SHORT_NS = Duration.ofMillis(300).toNanos();
    private static final long LONG_NS = Duration.ofMinutes(3).toNanos();

    /** What only a connection that stands, or an answer to a request, can end with. */
    private static final Set<Cause> OF_NO_CONNECT = EnumSet.of(Cause.TIMEOUT_PEER, Cause.INVALID);

    private Lab lab = new Lab();
    private Station active;
    private Station passive;
    private Tampering activeLink;
    private Tampering passiveLink;
    private final Events activeEvents = new Events();
    private final Events passiveEvents = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    @ParameterizedTest
    @EnumSource(Cause.class)
    void endsWith(Cause cause) {
        prepare(cause);

        Cause seen = provoke(cause);

        assertThat(seen).isEqualTo(cause);
        if (cause == Cause.NONE || OF_NO_CONNECT.contains(cause)) return;
        long replies = activeEvents.all().stream()
                .filter(CmEvent.ConnectReply.class::isInstance)
                .count();
        assertThat(activeEvents.all()).hasSize((int) replies); // A connect that failed tells nothing else.
        if (cause == Cause.SHUTDOWN) return;
        if (cause != Cause.ADDRESS_IN_USE) active.awaitNothingHeld();
        assertThat(replies).isLessThanOrEqualTo(cause == Cause.ADDRESS_IN_USE ? 2 : 1);
    }

    /** Short deadlines only where they are what is waited for. */
    private void prepare(Cause cause) {
        lab.close();
        lab = switch (cause) {
            case TIMEOUT_SYN -> new Lab(WireOptions.PLAIN, usual -> deadlines(usual, SHORT_NS, LONG_NS, LONG_NS));
            case TIMEOUT_MPA -> new Lab(WireOptions.PLAIN, usual -> deadlines(usual, LONG_NS, SHORT_NS, LONG_NS));
            case TIMEOUT_PEER -> new Lab(WireOptions.PLAIN, usual -> deadlines(usual, LONG_NS, LONG_NS, SHORT_NS));
            default -> new Lab();
        };
        if (cause == Cause.RESOURCES) lab.nics(EveryCauseTest::withoutQueuePairs);
        activeLink = new Tampering(lab.port());
        active = lab.station(activeLink, CmObserver.NONE, "10.0.0.2/24");
        lab.nics(config -> config);
        passiveLink = new Tampering(lab.port());
        passive = lab.station(passiveLink, CmObserver.NONE, "10.0.0.1/24");
    }

    private Cause provoke(Cause cause) {
        return switch (cause) {
            case NONE -> {
                listen(listening().accepting(AcceptOptions.DEFAULT));
                yield within(connect()) instanceof ConnectResult.Connected ? Cause.NONE : Cause.INVALID;
            }
            case REFUSED_TCP -> outcome(connect());
            case REJECTED_ULP -> {
                listen(listening().rejecting(Octets.EMPTY));
                yield outcome(connect());
            }
            case TIMEOUT_SYN -> {
                listen(listening());
                activeLink.by(frame -> isIpv4(frame) ? Optional.empty() : Optional.of(frame));
                yield outcome(connect());
            }
            case TIMEOUT_MPA -> {
                listen(listening());
                yield outcome(connect());
            }
            case TIMEOUT_PEER -> peerVanishes();
            case RESET -> {
                listen(listening());
                CompletionStage<ConnectResult> result =
                        connect(ConnectOptions.to(PEER).fallBack(false));
                within(passiveEvents.take().connection().abort());
                yield outcome(result);
            }
            case PROTOCOL -> {
                listen(listening().accepting(AcceptOptions.DEFAULT));
                passiveLink.by(frame -> Optional.of(asRequest(frame)));
                yield outcome(connect());
            }
            case RESOURCES -> outcome(connect());
            case UNREACHABLE -> outcome(connect(ConnectOptions.to(Flows.end("192.168.7.7:4420"))));
            case LOCAL_DOWN -> {
                listen(listening());
                CompletionStage<ConnectResult> result = connect();
                passiveEvents.take();
                active.cm().addressDown(Ipv4Address.parse("10.0.0.2"), 0);
                yield outcome(result);
            }
            case ADDRESS_NOT_AVAILABLE ->
                outcome(connect(ConnectOptions.to(PEER).from(Flows.end("10.0.0.77:0"))));
            case ADDRESS_IN_USE -> sameFlowTwice();
            case INVALID -> acceptAfterTheListenerHasGone();
            case LOCAL_ABORT -> {
                listen(listening());
                ConnectAttempt attempt = active.cm().begin(ConnectOptions.to(PEER), activeEvents);
                passiveEvents.take();
                assertThat(within(attempt.abandon())).isEqualTo(Cause.NONE);
                yield outcome(attempt.result());
            }
            case SHUTDOWN -> {
                listen(listening());
                CompletionStage<ConnectResult> result = connect();
                passiveEvents.take();
                within(active.cm().stop());
                yield outcome(result);
            }
        };
    }

    private Cause peerVanishes() {
        listen(listening().accepting(AcceptOptions.DEFAULT));
        Connection connection = within(connect()).orElseThrow();
        passiveEvents.take(CmEvent.Established.class);
        passiveLink.by(_ -> Optional.empty());
        connection.disconnect();
        activeEvents.take(CmEvent.ConnectReply.class);
        activeEvents.take(CmEvent.Disconnected.class);
        return activeEvents.take(CmEvent.Closed.class).cause();
    }

    private Cause sameFlowTwice() {
        listen(listening());
        connect(ConnectOptions.to(PEER).from(Flows.end("10.0.0.2:5000")));
        passiveEvents.take();
        return outcome(connect(ConnectOptions.to(PEER).from(Flows.end("10.0.0.2:5000"))));
    }

    private Cause acceptAfterTheListenerHasGone() {
        ListenHandle listener = listen(listening());
        connect();
        Connection asked = passiveEvents.take().connection();
        within(listener.close());
        return within(asked.accept());
    }

    @Test
    void givesEveryCauseItsErrnoAndEvent() {
        for (Cause cause : Cause.values()) {
            assertThat(cause.errno() == 0).as(cause.name()).isEqualTo(cause == Cause.NONE);
            assertThat(cause.errnoName()).as(cause.name()).matches(cause == Cause.NONE ? "" : "E[A-Z]+");
            assertThat(cause.rdmaCmEvent()).as(cause.name()).startsWith("RDMA_CM_EVENT_");
        }
        assertThat(Cause.REJECTED_ULP.rdmaCmEvent()).isEqualTo("RDMA_CM_EVENT_REJECTED");
        assertThat(Cause.RESET.rdmaCmEvent()).isEqualTo("RDMA_CM_EVENT_REJECTED");
        assertThat(Cause.TIMEOUT_SYN.rdmaCmEvent()).isEqualTo("RDMA_CM_EVENT_UNREACHABLE");
        assertThat(Cause.RESOURCES.rdmaCmEvent()).isEqualTo("RDMA_CM_EVENT_CONNECT_ERROR");
    }

    private ListenHandle listen(ListenOptions options) {
        return within(passive.cm().listen(options, passiveEvents));
    }

    private static ListenOptions listening() {
        return ListenOptions.on(PEER);
    }

    private CompletionStage<ConnectResult> connect() {
        return connect(ConnectOptions.to(PEER));
    }

    private CompletionStage<ConnectResult> connect(ConnectOptions options) {
        return active.cm().connect(options, activeEvents);
    }

    private static Cause outcome(CompletionStage<ConnectResult> result) {
        return ((ConnectResult.Failed) within(result)).cause();
    }

    private static boolean isIpv4(byte[] frame) {
        return frame[12] == 8 && frame[13] == 0;
    }

    /** The reply's key made into a request's: one octet, and the TCP checksum with it. */
    private static byte[] asRequest(byte[] frame) {
        String text = new String(frame, StandardCharsets.ISO_8859_1);
        int at = text.indexOf("MPA ID Rep Frame");
        if (at < 0) return frame;
        byte[] changed = frame.clone();
        changed[at + 9]++; // The low octet of a word: the sum grows by one, so its complement shrinks by one.
        int checksum = 14 + 20 + 16;
        int sum = (changed[checksum] & 0xff) << 8 | changed[checksum + 1] & 0xff;
        sum = sum == 0 ? 0xfffe : sum - 1;
        changed[checksum] = (byte) (sum >>> 8);
        changed[checksum + 1] = (byte) sum;
        return changed;
    }

    private static RnicConfig withoutQueuePairs(RnicConfig usual) {
        RnicConfig.Limits limits = usual.limits();
        return new RnicConfig(
                usual.mac(),
                usual.addresses(),
                usual.routes(),
                usual.mtu(),
                usual.behaviour(),
                new RnicConfig.Limits(
                        limits.flowsMax(),
                        limits.listenersMax(),
                        limits.addressesMax(),
                        0,
                        limits.timeWaitsMax(),
                        limits.loopbackMax(),
                        limits.transmitMax(),
                        limits.neighbours()),
                usual.ports(),
                usual.qp());
    }

    private static CmParams deadlines(CmParams usual, long synNs, long mpaReplyNs, long closeNs) {
        Deadlines before = usual.deadlines();
        return new CmParams(
                usual.tcp(),
                new Deadlines(
                        before.addressNs(),
                        synNs,
                        before.synRcvdNs(),
                        new MpaDeadlines(
                                before.mpa().requestNs(),
                                mpaReplyNs,
                                before.mpa().decisionNs(),
                                before.mpa().acceptNs(),
                                before.mpa().rtrNs()),
                        closeNs),
                usual.mpa(),
                usual.compat(),
                usual.isn());
    }
}
