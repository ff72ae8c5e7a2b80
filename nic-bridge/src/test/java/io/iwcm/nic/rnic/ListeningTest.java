package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.listen;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.Flows.seq;
import static io.iwcm.nic.testkit.Flows.syn;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.B;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static io.iwcm.nic.testkit.RnicRig.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicCommand.AddQuadHash;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.CreateAh;
import io.iwcm.nic.spi.NicCommand.DeleteQuadHash;
import io.iwcm.nic.spi.NicCommand.EnterTimeWait;
import io.iwcm.nic.spi.NicCommand.FreeAh;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.MoveInBacklog;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicCommand.TimeWaitRow;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** SYNs to endpoints that are listened on: who gets them, and how many. */
class ListeningTest {

    private final RnicRig rig = RnicRig.with("10.0.0.1/24", "10.0.0.3/24", "fd00::1/64", "10.1.0.1/24@100");

    @Test
    void aSynGoesToADispatcherAndNothingIsStored() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        RnicSnapshot.Held before = rig.held();
        FlowKey flow = flow("10.0.0.1:5000", "10.0.0.2:33000");
        rig.receive(flow, syn(200));
        rig.receive(flow, syn(200));
        assertThat(rig.take())
                .containsExactly("ilq 1 " + flow + " S 200 listener", "ilq 1 " + flow + " S 200 listener");
        assertThat(rig.held()).isEqualTo(before);
        assertThat(rig.count(NicCounter.PKT_RCVD)).isEqualTo(2);
    }

    @Test
    void afterItsEntryIsInTheFlowIsItsOwners() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        FlowKey flow = flow("10.0.0.1:5000", "10.0.0.2:33000");
        long epoch = rig.install(A, flow);
        assertThat(rig.take()).endsWith("event 1 " + flow + " epoch " + epoch + " installed");
        rig.receive(flow, segment("A", 201, 101, ""));
        rig.receive(flow, syn(200));
        rig.receive(flow, segment("R", 201, 0, ""));
        assertThat(rig.take())
                .containsExactly(
                        "ilq 1 " + flow + " A 201 ack 101", "ilq 1 " + flow + " S 200", "ilq 1 " + flow + " R 201");
    }

    /** FC-12. */
    @Test
    void vlansAreKeptApart() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        rig.listen("10.1.0.1:5000", 100, 4, 8);
        FlowKey tagged = flow("10.1.0.1:5000", "10.1.0.2:1", 100);
        FlowKey untagged = flow("10.0.0.1:5000", "10.0.0.2:2");
        FlowKey wrong = flow("10.0.0.1:5000", "10.0.0.2:3", 100);
        rig.receive(frame(tagged, syn(1), 5));
        rig.receive(frame(untagged, syn(2), 0));
        rig.receive(frame(wrong, syn(3), 0));
        rig.receive(frame(untagged, syn(4), 3));
        assertThat(rig.take())
                .containsExactly(
                        "ilq 1 " + tagged + " priority 5 S 1 listener",
                        "ilq 1 " + untagged + " S 2 listener",
                        "ilq 1 " + untagged + " priority 3 S 4 listener");
        assertThat(rig.drops(Drop.ADDRESS_NOT_LOCAL)).isEqualTo(1);
    }

    @Test
    void aListenerOfOneVlanTakesOnlyItsOwn() {
        rig.listen("10.1.0.1:5000", 100, 4, 8);
        FlowKey tagged = flow("10.1.0.1:5000", "10.1.0.2:1", 100);
        FlowKey untagged = flow("10.0.0.1:5000", "10.0.0.2:2");
        rig.receive(tagged, syn(1));
        rig.receive(untagged, syn(2));
        assertThat(rig.take())
                .containsExactly("ilq 1 " + tagged + " S 1 listener", "> " + PEER + " tcp " + untagged + " RA 0 ack 3");
    }

    @Test
    void listensOnIpv6() {
        rig.listen("[fd00::1]:5000", 0, 4, 8);
        FlowKey flow = flow("[fd00::1]:5000", "[fd00::2]:33000");
        rig.receive(flow, syn(1));
        assertThat(rig.take()).containsExactly("ilq 1 " + flow + " S 1 listener");
    }

    @Test
    void oneListensOnlyWhereOneIs() {
        assertThat(rig.order(new NicControl.Listen(1, listen("10.0.0.9:5000", 0), 1, 1, SynOffer.DEFAULT)))
                .isEqualTo(new NicControl.Failed(1, Failure.NOT_LOCAL));
        assertThat(rig.order(new NicControl.Listen(2, listen("10.0.0.1:5000", 100), 1, 1, SynOffer.DEFAULT)))
                .isEqualTo(new NicControl.Failed(2, Failure.NOT_LOCAL));
        assertThat(rig.order(new NicControl.Listen(3, listen("10.0.0.1:0", 0), 1, 1, SynOffer.DEFAULT)))
                .isEqualTo(new NicControl.Failed(3, Failure.DEVICE));
        assertThat(rig.order(new NicControl.Listen(4, listen("10.0.0.1:5000", 0), 0, 1, SynOffer.DEFAULT)))
                .isEqualTo(new NicControl.Failed(4, Failure.DEVICE));
        assertThat(rig.held().ports()).isZero();
    }

    /** FC-36: two half-open ones and no more; what is full is dropped and never reset. */
    @Test
    void theBacklogIsExact() {
        rig.listen("10.0.0.1:5000", 0, 2, 3);
        FlowKey first = peer(1);
        long epoch = rig.install(A, first);
        rig.install(A, peer(2));
        rig.take();
        rig.receive(peer(3), syn(1));
        assertThat(rig.take()).isEmpty();
        assertThat(rig.drops(Drop.SYN_BACKLOG_FULL)).isEqualTo(1);

        rig.request(A, first, epoch, 3, new MoveInBacklog(BacklogPlace.WAITING));
        rig.receive(peer(3), syn(1));
        assertThat(rig.take()).containsExactly("ilq 1 " + peer(3) + " S 1 listener");
        rig.install(A, peer(3));
        rig.take();
        rig.receive(peer(4), syn(1));
        assertThat(rig.take()).isEmpty();
        assertThat(rig.drops(Drop.BACKLOG_FULL)).isEqualTo(1);

        rig.request(A, first, epoch, 4, new MoveInBacklog(BacklogPlace.NONE));
        assertThat(rig.held().halfOpen()).isEqualTo(2);
        assertThat(rig.held().waiting()).isZero();
        rig.receive(peer(4), syn(1));
        assertThat(rig.drops(Drop.SYN_BACKLOG_FULL)).isEqualTo(2);
    }

    @Test
    void moreSynsThanPlacesMayBeUnderWayButNoMoreEntriesThanPlacesAreMade() {
        rig.listen("10.0.0.1:5000", 0, 1, 1);
        rig.receive(peer(1), syn(1));
        rig.receive(peer(2), syn(1));
        assertThat(rig.takeIlq()).hasSize(2);
        rig.install(A, peer(1));
        rig.request(A, peer(2), 0, 1, new CreateAh(Path.DEFAULT), add(peer(2)));
        assertThat(rig.take()).endsWith("event 1 " + peer(2) + " epoch 0 steering failed BACKLOG_FULL");
        rig.request(A, peer(2), 0, 1, new CreateAh(Path.DEFAULT), add(peer(2)));
        assertThat(rig.take()).endsWith("event 1 " + peer(2) + " epoch 0 steering failed BACKLOG_FULL");
        rig.request(A, peer(2), 0, 2, new FreeAh());
        assertThat(rig.held().flows()).isEqualTo(1);
        assertThat(rig.held().halfOpen()).isEqualTo(1);
    }

    /** Every way in which a flow can end; each gives everything back, once. */
    record Exit(String name, Consumer<Case> how) {
        @Override
        public String toString() {
            return name;
        }
    }

    record Case(RnicRig rig, FlowKey flow, long epoch) {
        void request(long id, NicCommand... commands) {
            rig.request(A, flow, epoch, id, commands);
        }
    }

    static List<Exit> exits() {
        return List.of(
                new Exit("deleted half-open", c -> c.request(3, new DeleteQuadHash(), new FreeAh())),
                new Exit("deleted without freeing the handle", c -> c.request(3, new DeleteQuadHash())),
                new Exit("deleted twice", c -> {
                    c.request(3, new DeleteQuadHash(), new FreeAh());
                    c.request(4, new DeleteQuadHash(), new FreeAh());
                    c.request(3, new DeleteQuadHash(), new FreeAh());
                }),
                new Exit("deleted while waiting", c -> {
                    c.request(3, new MoveInBacklog(BacklogPlace.WAITING));
                    c.request(4, new DeleteQuadHash(), new FreeAh());
                }),
                new Exit("place given back, then deleted", c -> {
                    c.request(3, new MoveInBacklog(BacklogPlace.NONE));
                    c.request(4, new MoveInBacklog(BacklogPlace.NONE));
                    c.request(5, new DeleteQuadHash(), new FreeAh());
                }),
                new Exit(
                        "time wait",
                        c -> c.request(3, new EnterTimeWait(new TimeWaitRow(seq(1), seq(2), 3)), new FreeAh())),
                new Exit("dispatcher gone", c -> c.rig.order(new NicControl.Detach(9, A))),
                new Exit("listener gone, then deleted", c -> {
                    c.rig.order(new NicControl.Unlisten(9, ListenKey.of(c.flow)));
                    c.rig.listen("10.0.0.1:5000", 0, 2, 2);
                    c.request(3, new DeleteQuadHash(), new FreeAh());
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("exits")
    void everyEndGivesEverythingBackOnce(Exit exit) {
        rig.listen("10.0.0.1:5000", 0, 2, 2);
        RnicSnapshot.Held before = rig.held();
        long epoch = rig.install(A, peer(1));
        assertThat(rig.held()).isNotEqualTo(before);
        exit.how.accept(new Case(rig, peer(1), epoch));
        assertThat(rig.held()).isEqualTo(before);
        rig.pass(120 * SECOND);
        assertThat(rig.held()).isEqualTo(before);
        assertThat(rig.rnic().snapshot().timeWaits()).isZero();
    }

    /** FC-15. */
    @Test
    void twoListenersOnOnePortAreOneUseOfThePort() {
        rig.listen("10.0.0.1:5000", 0, 1, 1);
        rig.listen("10.0.0.3:5000", 0, 1, 1);
        assertThat(rig.count(NicCounter.APBVT_ADDS)).isEqualTo(1);
        rig.order(new NicControl.Unlisten(9, listen("10.0.0.1:5000", 0)));
        rig.order(new NicControl.Unlisten(9, listen("10.0.0.1:5000", 0)));
        FlowKey second = flow("10.0.0.3:5000", "10.0.0.2:1");
        rig.receive(second, syn(1));
        assertThat(rig.take()).containsExactly("ilq 1 " + second + " S 1 listener");
        assertThat(rig.held().ports()).isEqualTo(1);
        rig.order(new NicControl.Unlisten(9, listen("10.0.0.3:5000", 0)));
        assertThat(rig.held().ports()).isZero();
        assertThat(rig.count(NicCounter.APBVT_ADDS)).isEqualTo(1);
        assertThat(rig.count(NicCounter.APBVT_DELETES)).isEqualTo(1);
    }

    @Test
    void whoListensAgainKeepsThePlacesTaken() {
        rig.listen("10.0.0.1:5000", 0, 4, 4);
        rig.install(A, peer(1));
        rig.listen("10.0.0.1:5000", 0, 1, 1);
        rig.take();
        rig.receive(peer(2), syn(1));
        assertThat(rig.take()).isEmpty();
        assertThat(rig.held().ports()).isEqualTo(1);
    }

    @Test
    void aListenerThatIsGoneLeavesItsFlowsAndRefusesNewOnes() {
        rig.listen("10.0.0.1:5000", 0, 4, 8);
        rig.install(A, peer(1));
        rig.request(A, peer(2), 0, 1, new CreateAh(Path.DEFAULT));
        rig.order(new NicControl.Unlisten(9, listen("10.0.0.1:5000", 0)));
        rig.take();
        rig.receive(peer(1), segment("A", 2, 2, ""));
        rig.receive(peer(3), syn(9));
        rig.request(A, peer(2), 0, 2, add(peer(2)));
        assertThat(rig.take())
                .containsExactly(
                        "ilq 1 " + peer(1) + " A 2 ack 2",
                        "> " + PEER + " tcp " + peer(3) + " RA 0 ack 10",
                        "event 1 " + peer(2) + " epoch 0 steering failed NOT_LISTENING");
    }

    @Test
    void synsAreSpreadOverDispatchersByFlow() {
        rig.order(new NicControl.Attach(1, B));
        rig.order(new NicControl.Attach(1, new Owner(3)));
        rig.listen("10.0.0.1:5000", 0, 100, 100);
        Set<String> to = new HashSet<>();
        for (int port = 1; port <= 60; port++) {
            rig.receive(peer(port), syn(1));
            rig.receive(peer(port), syn(1));
            List<String> lines = rig.take();
            assertThat(lines.get(0)).isEqualTo(lines.get(1));
            to.add(lines.get(0).substring(0, 6));
        }
        assertThat(to).containsExactlyInAnyOrder("ilq 1 ", "ilq 2 ", "ilq 3 ");
    }

    @Test
    void aRepeatedSynGoesToWhoPreparesAlready() {
        rig.listen("10.0.0.1:5000", 0, 100, 100);
        rig.order(new NicControl.Attach(1, B));
        for (int port = 1; port <= 20; port++) {
            rig.request(B, peer(port), 0, 1, new CreateAh(Path.DEFAULT));
            rig.take();
            rig.receive(peer(port), syn(1));
            assertThat(rig.take()).containsExactly("ilq 2 " + peer(port) + " S 1 listener");
        }
    }

    @Test
    void withoutADispatcherSynsAreDropped() {
        rig.listen("10.0.0.1:5000", 0, 1, 1);
        rig.order(new NicControl.Detach(1, A));
        rig.receive(peer(1), syn(1));
        assertThat(rig.take()).isEmpty();
        assertThat(rig.drops(Drop.ILQ_FULL)).isEqualTo(1);
    }

    @Test
    void aSynFromWhereNoPeerIsIsDropped() {
        rig.listen("10.0.0.1:5000", 0, 1, 1);
        rig.receive(flow("10.0.0.1:5000", "10.0.0.3:9"), syn(1)); // Ours, but from the wire.
        rig.receive(flow("10.0.0.1:5000", "10.0.0.255:9"), syn(1));
        assertThat(rig.take()).isEmpty();
        assertThat(rig.drops(Drop.IP_BAD_SOURCE)).isEqualTo(2);
    }

    private static AddQuadHash add(FlowKey flow) {
        return new AddQuadHash(Optional.of(ListenKey.of(flow)));
    }

    private static FlowKey peer(int port) {
        return flow("10.0.0.1:5000", "10.0.0.2:" + port);
    }
}
