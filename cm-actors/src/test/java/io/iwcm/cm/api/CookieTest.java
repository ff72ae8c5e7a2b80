package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.link.Link;
import io.iwcm.nic.link.LinkCounters;
import io.iwcm.nic.rnic.RnicConfig.CookieMode;
import io.iwcm.nic.rnic.RnicConfig.Cookies;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connection managers whose listeners are flooded with SYNs (RFC 4987). */
class CookieTest {

    private static final long LIFETIME_NS = 60_000_000_000L;
    private static final String ENDPOINT = "10.0.0.1:4420";
    private static final int FLOOD = 1_000;

    private final Lab lab = new Lab();
    private final Events passiveEvents = new Events();
    private final Events activeEvents = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    @Test
    void aClientConnectsThroughAFlood() {
        Station passive = lab.station("10.0.0.1/24");
        Station active = lab.station("10.0.0.2/24");
        ListenHandle listener =
                within(passive.cm().listen(ListenOptions.on(Flows.end(ENDPOINT)).backlog(4, 64), passiveEvents));
        flood(passive);
        await("the flood is answered", () -> passive.nic().count(NicCounter.COOKIES_SENT) == FLOOD);
        assertThat(passive.nic().held().halfOpen()).isEqualTo(4);
        assertThat(passive.nic().held().flows()).isEqualTo(4);

        connects(active, passive, listener);
    }

    /** Without cookies its clients would have to wait; everybody else notices nothing, and memory is bounded. */
    @Test
    @Tag("FC-36")
    void withoutCookiesOnlyTheFloodedListenerSuffers() {
        lab.cookies(new Cookies(CookieMode.OFF, LIFETIME_NS, 0));
        Station passive = lab.station("10.0.0.1/24");
        Station active = lab.station("10.0.0.2/24");
        within(passive.cm().listen(ListenOptions.on(Flows.end(ENDPOINT)).backlog(4, 64), passiveEvents));
        within(passive.cm()
                .listen(ListenOptions.on(Flows.end("10.0.0.1:4421")).accepting(AcceptOptions.DEFAULT), new Events()));
        Connection before = connected(active, "10.0.0.1:4421");
        flood(passive);
        await("the flood is dropped", () -> passive.nic().drops(Drop.SYN_BACKLOG_FULL) == FLOOD);
        assertThat(passive.nic().held().halfOpen()).isEqualTo(4);
        assertThat(passive.nic().held().flows()).isEqualTo(5);
        assertThat(passive.nic().count(NicCounter.COOKIES_SENT)).isZero();

        Connection during = connected(active, "10.0.0.1:4421");
        assertThat(within(during.disconnect())).isEqualTo(Cause.NONE);
        assertThat(within(before.disconnect())).isEqualTo(Cause.NONE);
    }

    /** Our own initiator sends no bare ACK: its request completes the handshake, also when it has to be sent again. */
    @ParameterizedTest(name = "{0}, {1} lost")
    @CsvSource({"ALWAYS, 0", "ALWAYS, 1"})
    void theRequestItselfCompletesTheHandshake(CookieMode mode, int lost) {
        lab.cookies(new Cookies(mode, LIFETIME_NS, 1_000));
        Station passive = lab.station("10.0.0.1/24");
        Station active = lab.station(new Forgets(lab.port(), "MPA ID Req", lost), CmObserver.NONE, "10.0.0.2/24");
        ListenHandle listener = within(passive.cm().listen(ListenOptions.on(Flows.end(ENDPOINT)), passiveEvents));

        connects(active, passive, listener);
        assertThat(passive.nic().count(NicCounter.COOKIES_ACCEPTED)).isEqualTo(1);
        assertThat(passive.nic().count(NicCounter.COOKIES_BAD)).isZero();
    }

    private static Connection connected(Station active, String to) {
        return ((ConnectResult.Connected) within(active.cm().connect(ConnectOptions.to(Flows.end(to))))).connection();
    }

    private void connects(Station active, Station passive, ListenHandle listener) {
        CompletionStage<ConnectResult> connecting = active.cm()
                .connect(
                        ConnectOptions.to(Flows.end(ENDPOINT))
                                .depths(new ReadDepths(4, 3))
                                .privateData(octets("ABCD")),
                        activeEvents);
        Events.Heard request = passiveEvents.take();
        assertThat(request.event())
                .isEqualTo(new CmEvent.ConnectRequest(
                        2, new PeerDepths(true, 4, 3), new ReadDepths(32, 4), octets("ABCD")));
        assertThat(within(request.connection().accept(AcceptOptions.DEFAULT.privateData(octets("yes")))))
                .isEqualTo(Cause.NONE);
        assertThat(activeEvents.take(CmEvent.ConnectReply.class).privateData()).isEqualTo(octets("yes"));
        passiveEvents.take(CmEvent.Established.class);
        assertThat(passive.nic().count(NicCounter.COOKIES_ACCEPTED)).isPositive();

        Connection connection = ((ConnectResult.Connected) within(connecting)).connection();
        assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);
        assertThat(passiveEvents.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
        assertThat(passiveEvents.take(CmEvent.Closed.class).cause()).isEqualTo(Cause.NONE);
        within(listener.close());
        active.awaitNothingHeld();
        passive.awaitNothingHeld();
    }

    /** Takes the four places, then goes on, in the name of a host that answers ARP and nothing else. */
    private void flood(Station passive) {
        Flooder flooder = new Flooder(lab.port(), Flows.mac(99));
        flooder.flood(1024, Flows.mac(1), ENDPOINT, 4);
        await("the places are taken", () -> passive.nic().held().halfOpen() == 4);
        flooder.flood(2048, Flows.mac(1), ENDPOINT, FLOOD);
    }

    private static Octets octets(String text) {
        return Octets.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** A link that loses the first frames we send that have certain words in them. */
    private record Forgets(Link link, String words, AtomicInteger left) implements Link {

        Forgets(Link link, String words, int count) {
            this(link, words, new AtomicInteger(count));
        }

        @Override
        public String name() {
            return link.name();
        }

        @Override
        public int mtu() {
            return link.mtu();
        }

        @Override
        public void start(Receiver receiver) {
            link.start(receiver);
        }

        @Override
        public void transmit(List<byte[]> frames) {
            link.transmit(frames.stream()
                    .filter(frame -> !new String(frame, StandardCharsets.ISO_8859_1).contains(words)
                            || left.getAndDecrement() <= 0)
                    .toList());
        }

        @Override
        public LinkCounters counters() {
            return link.counters();
        }

        @Override
        public void close() {
            link.close();
        }
    }
}
