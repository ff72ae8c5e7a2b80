package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.await;
import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iwcm.cm.actor.NicInterface;
import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Addresses, VLANs and the NIC go down and up under listeners and connections. */
@Timeout(120)
class AddressesTest {

    private static final List<String> PLACES =
            List.of("10.0.0.1@0", "10.0.0.3@0", "10.0.0.1@100", "10.2.0.1@200", "fd00::1@0");

    private final Lab lab = new Lab();
    private final Station passive =
            lab.station("10.0.0.1/24", "10.0.0.3/24", "10.0.0.1/24@100", "10.2.0.1/24@200", "fd00::1/64");
    private final Station active = lab.station("10.0.0.2/24", "10.0.0.2/24@100", "10.2.0.2/24@200", "fd00::2/64");
    private final Events requests = new Events();
    private final Map<String, Events> ends = new LinkedHashMap<>();

    @AfterEach
    void end() {
        lab.close();
    }

    /** FC-53: one of two addresses of the untagged link, one of which exists on a VLAN too. */
    @Test
    void anAddressThatGoesDownEndsTheConnectionsOfItsVlanAndNoOthers() {
        listenAndConnectEverywhere();

        within(passive.cm().addressDown(Flows.ip("10.0.0.1"), 0));
        within(passive.cm().addressDown(Flows.ip("10.0.0.1"), 0));
        assertDown("10.0.0.1@0");

        within(passive.cm().addressUp(Flows.address("10.0.0.1/24", 0)));
        within(passive.cm().addressUp(Flows.address("10.0.0.1/24", 0)));
        assertConnects("10.0.0.1@0");
        assertThat(passive.cm().counters().value(CmCounter.ADDRESS_CHANGES_IGNORED))
                .isEqualTo(2);
    }

    /** FC-53. */
    @Test
    void aVlanThatGoesDownEndsItsConnectionsAndNoOthers() {
        listenAndConnectEverywhere();

        within(passive.cm().interfaceDown(NicInterface.vlan(100)));
        within(passive.cm().interfaceDown(NicInterface.vlan(100)));
        assertDown("10.0.0.1@100");

        within(passive.cm().interfaceUp(NicInterface.vlan(100)));
        within(passive.cm().interfaceUp(NicInterface.vlan(100)));
        assertConnects("10.0.0.1@100");
    }

    /** FC-53: what is on no VLAN goes down without the VLANs; the whole NIC goes down with them. */
    @Test
    void theUntaggedLinkGoesDownWithoutTheVlansAndTheNicWithThem() {
        listenAndConnectEverywhere();

        within(passive.cm().interfaceDown(NicInterface.UNTAGGED));
        assertDown("10.0.0.1@0", "10.0.0.3@0", "fd00::1@0");
        within(passive.cm().interfaceUp(NicInterface.UNTAGGED));
        assertConnects("fd00::1@0");

        within(passive.cm().interfaceDown(NicInterface.NIC));
        assertEnd("10.0.0.1@100", "10.2.0.1@200", "fd00::1@0");
        assertThat(children()).isEmpty();
        passive.awaitNothingHeld();

        within(passive.cm().interfaceUp(NicInterface.NIC));
        PLACES.forEach(this::assertConnects);
    }

    @Test
    void onADownAddressNobodyListensAndNobodyConnects() {
        within(active.cm().interfaceDown(NicInterface.vlan(200)));

        ConnectResult result = within(active.cm().connect(ConnectOptions.to(Flows.end("10.2.0.1:5000"))));
        assertThat(((ConnectResult.Failed) result).cause()).isEqualTo(Cause.UNREACHABLE);
        assertThatThrownBy(() -> within(active.cm().listen(ListenOptions.on(Flows.end("10.2.0.2:5000")), requests)))
                .isInstanceOf(CmException.class)
                .hasMessage("cannot listen on 10.2.0.2:5000: address not available");
    }

    @Test
    void anAddressTooManyIsRefusedAndForgotten() {
        for (int i = 0; i < 256 - PLACES.size(); i++) {
            within(passive.cm().addressUp(Flows.address("10.9." + i / 200 + "." + (1 + i % 200) + "/16", 0)));
        }
        assertThatThrownBy(() -> within(passive.cm().addressUp(Flows.address("10.8.0.1/16", 0))))
                .isInstanceOf(CmException.class)
                .hasMessageContaining("10.8.0.1")
                .hasMessageEndingWith("could not be done: out of resources");
        within(passive.cm().addressDown(Flows.ip("10.9.0.1"), 0));
        within(passive.cm().addressUp(Flows.address("10.8.0.1/16", 0)));
    }

    /** FC-54: after the stop nothing answers but the facade itself. */
    @Test
    void afterTheStopAChangeFailsAtOnce() {
        within(active.cm().stop());

        assertThatThrownBy(() -> within(active.cm().interfaceDown(NicInterface.NIC)))
                .isInstanceOf(RuntimeException.class);
    }

    /** FC-72: listeners come and go while addresses do; then the children are exactly the addresses. */
    @Test
    void listenersAndAddressesThatChangeAtOnceAgreeInTheEnd() {
        CompletableFuture<Void> listening = CompletableFuture.runAsync(() -> {
            for (int round = 0; round < 1000; round++) {
                ListenHandle handle =
                        within(passive.cm().listen(ListenOptions.on(Flows.end("0.0.0.0:6000")), requests));
                if (round % 3 > 0) within(handle.close());
                else within(handle.close().thenCompose(_ -> passive.cm().snapshot()));
            }
        });
        within(passive.cm().listen(ListenOptions.on(Flows.end("[::]:5000")), requests));
        Random random = new Random(72);
        List<CompletionStage<Void>> changes = new ArrayList<>();
        for (int round = 0; round < 1000; round++) {
            LocalAddress address = Flows.address("10.3.0." + (1 + random.nextInt(8)) + "/24", random.nextInt(3) * 100);
            changes.add(
                    switch (random.nextInt(4)) {
                        case 0 -> passive.cm().addressDown(address.address(), address.vlan());
                        case 1 -> passive.cm().interfaceDown(NicInterface.vlan(address.vlan()));
                        case 2 -> passive.cm().interfaceUp(NicInterface.vlan(address.vlan()));
                        default -> passive.cm().addressUp(address);
                    });
        }
        changes.forEach(Lab::within);
        within(listening);
        for (int vlan : List.of(0, 100, 200)) within(passive.cm().interfaceUp(NicInterface.vlan(vlan)));

        List<ListenKey> wanted = within(passive.cm().nic().inspect(rnic -> ((SoftRnic) rnic).addresses())).stream()
                .map(own -> new ListenKey(new Endpoint(own.address(), 5000), own.vlan()))
                .toList();
        assertThat(wanted).hasSizeGreaterThanOrEqualTo(PLACES.size());
        assertThat(children()).containsExactlyInAnyOrderElementsOf(wanted);
        assertThat(passive.nic().held().listeners()).isEqualTo(wanted.size());
    }

    private void listenAndConnectEverywhere() {
        within(passive.cm()
                .listen(ListenOptions.on(Flows.end("[::]:5000")).accepting(AcceptOptions.DEFAULT), requests));
        PLACES.forEach(this::assertConnects);
    }

    /** The connection to this address and VLAN is the one whose end {@link #assertEnd} waits for. */
    private void assertConnects(String place) {
        String address = place.substring(0, place.indexOf('@'));
        int vlan = Integer.parseInt(place.substring(place.indexOf('@') + 1));
        String from = address.contains(":") ? "[fd00::2]:0" : address.replaceAll("\\d+$", "2") + ":0";
        String to = address.contains(":") ? "[" + address + "]:5000" : address + ":5000";
        Events heard = new Events();
        ConnectOptions options =
                ConnectOptions.to(Flows.end(to)).from(Flows.end(from)).vlan(vlan);
        assertThat(within(active.cm().connect(options, heard)))
                .as("connecting to %s", place)
                .isInstanceOf(ConnectResult.Connected.class);
        heard.take(CmEvent.ConnectReply.class);
        Events.Heard established = requests.take();
        assertThat(established.event()).isInstanceOf(CmEvent.Established.class);
        ends.put(place, heard);
    }

    private void assertDown(String... places) {
        assertEnd(places);
        assertThat(requests.all()).filteredOn(CmEvent.Closed.class::isInstance).hasSize(places.length);
        await("the nodes that ended are gone", () -> nodes() == PLACES.size() - places.length);
        assertThat(children())
                .hasSize(PLACES.size() - places.length)
                .extracting(key -> key.local().address() + "@" + key.vlan())
                .doesNotContain(places);
    }

    /** Their peers are reset, and our application is told LOCAL_DOWN of each, twice. */
    private void assertEnd(String... places) {
        List<CmEvent> told = new ArrayList<>();
        for (String place : places) {
            Events peer = ends.get(place);
            assertThat(peer).isNotNull();
            assertThat(peer.take(CmEvent.Disconnected.class).cause()).as(place).isEqualTo(Cause.RESET);
            peer.take(CmEvent.Closed.class);
            told.add(requests.take().event());
            told.add(requests.take().event());
        }
        assertThat(told)
                .filteredOn(new CmEvent.Disconnected(Cause.LOCAL_DOWN)::equals)
                .hasSize(places.length);
        assertThat(told)
                .filteredOn(new CmEvent.Closed(Cause.LOCAL_DOWN)::equals)
                .hasSize(places.length);
    }

    /** A node tells its end before it stops, so its bucket may know it a moment longer than the application. */
    private int nodes() {
        return within(passive.cm().snapshot()).nodes().size();
    }

    private List<ListenKey> children() {
        return within(passive.cm().snapshot()).listeners().stream()
                .flatMap(listener -> listener.children().stream())
                .toList();
    }
}
