package io.iwcm.nic.steer;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.listen;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.steer.FlowEntry.Phase;
import io.iwcm.nic.steer.QuadHash.Verdict;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who owns a flow, and who is admitted to a listener. */
class QuadHashTest {

    private static final Owner A = new Owner(1);
    private static final Owner B = new Owner(2);
    private static final FlowKey FLOW = flow("10.0.0.1:5000", "10.0.0.2:33000");
    private static final ListenKey LISTEN = listen("10.0.0.1:5000", 0);

    private final NicCounts counts = new NicCounts();
    private final QuadHash hash = new QuadHash(8, 2, counts);

    @Test
    void theFirstOwnsAndTheSecondIsTold() {
        assertThat(hash.judge(A, request(0, 1))).isEqualTo(Verdict.UNKNOWN);
        FlowEntry entry = installed(A, Optional.empty());
        assertThat(hash.judge(B, request(0, 1))).isEqualTo(Verdict.TAKEN);
        assertThat(hash.judge(B, request(entry.epoch(), 1))).isEqualTo(Verdict.SUPERSEDED);
        assertThat(hash.judge(A, request(entry.epoch(), 2))).isEqualTo(Verdict.FRESH);
        assertThat(hash.judge(A, request(entry.epoch(), 2))).isEqualTo(Verdict.REPEATED);
    }

    @Test
    void whatWasSentBeforeTheEpochWasKnownStillCounts() {
        installed(A, Optional.empty());
        assertThat(hash.judge(A, request(0, 1))).isEqualTo(Verdict.REPEATED);
        assertThat(hash.judge(A, request(0, 2))).isEqualTo(Verdict.FRESH);
    }

    @Test
    void ordersOfAnEarlierConnectionWithTheSameAddressesAreSuperseded() {
        FlowEntry first = installed(A, Optional.empty());
        hash.remove(first);
        assertThat(hash.judge(A, request(first.epoch(), 9))).isEqualTo(Verdict.SUPERSEDED);
        FlowEntry second = installed(A, Optional.empty());
        assertThat(second.epoch()).isGreaterThan(first.epoch());
        assertThat(hash.judge(A, request(first.epoch(), 9))).isEqualTo(Verdict.SUPERSEDED);
        assertThat(hash.judge(A, request(second.epoch(), 2))).isEqualTo(Verdict.FRESH);
    }

    @Test
    void aReservedFlowIsNobodyElsesUntilItIsClaimed() {
        assertThat(hash.reserve(FLOW, A)).isEmpty();
        assertThat(hash.reserve(FLOW, A)).isEqualTo(Optional.of(Failure.QUAD_TAKEN));
        assertThat(hash.judge(A, request(3, 1))).isEqualTo(Verdict.SUPERSEDED);
        assertThat(hash.judge(A, request(0, 1))).isEqualTo(Verdict.UNKNOWN);
        FlowEntry entry = hash.claim(A, request(0, 1)).orElseThrow();
        assertThat(entry.phase()).isEqualTo(Phase.CLAIMED);
        assertThat(hash.judge(B, request(0, 1))).isEqualTo(Verdict.TAKEN);
    }

    @Test
    void anOlderCheckpointDoesNotReplaceANewerOne() {
        record Saved(int number) implements Checkpoint {}
        FlowEntry entry = hash.claim(A, request(0, 1)).orElseThrow();
        entry.store(Optional.of(new Saved(1)), 1);
        hash.judge(A, request(0, 3));
        entry.store(Optional.of(new Saved(3)), 3);
        hash.judge(A, request(0, 2));
        entry.store(Optional.of(new Saved(2)), 2);
        assertThat(entry.checkpoint()).isEqualTo(Optional.of(new Saved(3)));
    }

    @Test
    void bothBacklogsAreExact() {
        hash.listen(LISTEN, 2, 3, SynOffer.DEFAULT);
        FlowEntry a = installed(flow("10.0.0.1:5000", "10.0.0.2:1"), A, Optional.of(LISTEN));
        FlowEntry b = installed(flow("10.0.0.1:5000", "10.0.0.2:2"), A, Optional.of(LISTEN));
        SynEntry listener = hash.listener(LISTEN).orElseThrow();
        assertThat(listener.admits()).isEqualTo(Drop.SYN_BACKLOG_FULL);
        hash.move(a, BacklogPlace.WAITING);
        assertThat(listener.admits()).isEqualTo(Drop.NONE);
        installed(flow("10.0.0.1:5000", "10.0.0.2:3"), A, Optional.of(LISTEN));
        assertThat(listener.admits()).isEqualTo(Drop.BACKLOG_FULL);

        FlowKey late = flow("10.0.0.1:5000", "10.0.0.2:4");
        FlowEntry refused = hash.claim(A, request(late, 0, 1)).orElseThrow();
        assertThat(hash.install(refused, Optional.of(LISTEN))).isEqualTo(Optional.of(Failure.BACKLOG_FULL));
        assertThat(refused.phase()).isEqualTo(Phase.CLAIMED);

        hash.move(a, BacklogPlace.NONE);
        assertThat(listener.admits()).isEqualTo(Drop.SYN_BACKLOG_FULL);
        hash.remove(b);
        assertThat(hash.install(refused, Optional.of(LISTEN))).isEmpty();
        assertThat(listener.halfOpen()).isEqualTo(2);
        assertThat(listener.waiting()).isZero();
    }

    @Test
    void aPlaceIsGivenBackOnce() {
        hash.listen(LISTEN, 4, 4, SynOffer.DEFAULT);
        FlowEntry entry = installed(A, Optional.of(LISTEN));
        SynEntry listener = hash.listener(LISTEN).orElseThrow();
        assertThat(listener.halfOpen()).isEqualTo(1);
        hash.move(entry, BacklogPlace.NONE);
        hash.move(entry, BacklogPlace.NONE);
        hash.move(entry, BacklogPlace.WAITING);
        hash.move(entry, BacklogPlace.HALF_OPEN);
        hash.remove(entry);
        hash.remove(entry);
        assertThat(listener.halfOpen()).isZero();
        assertThat(listener.waiting()).isZero();
    }

    @Test
    void aListenerThatComesAgainDoesNotCountTheFlowsOfTheFirst() {
        hash.listen(LISTEN, 1, 1, SynOffer.DEFAULT);
        FlowEntry old = installed(A, Optional.of(LISTEN));
        assertThat(hash.unlisten(LISTEN)).isTrue();
        assertThat(hash.unlisten(LISTEN)).isFalse();
        hash.listen(LISTEN, 1, 1, SynOffer.DEFAULT);
        FlowEntry fresh = installed(flow("10.0.0.1:5000", "10.0.0.2:2"), A, Optional.of(LISTEN));
        SynEntry listener = hash.listener(LISTEN).orElseThrow();
        hash.remove(old);
        assertThat(listener.halfOpen()).isEqualTo(1);
        hash.remove(fresh);
        assertThat(listener.halfOpen()).isZero();
    }

    @Test
    void otherLimitsForTheSameEndpointKeepItsPlaces() {
        hash.listen(LISTEN, 4, 4, SynOffer.DEFAULT);
        installed(A, Optional.of(LISTEN));
        hash.listen(LISTEN, 1, 1, SynOffer.DEFAULT);
        assertThat(hash.listener(LISTEN).orElseThrow().admits()).isEqualTo(Drop.BACKLOG_FULL);
    }

    @Test
    void nobodyIsInstalledByAListenerThatIsGone() {
        FlowEntry entry = hash.claim(A, request(0, 1)).orElseThrow();
        assertThat(hash.install(entry, Optional.of(LISTEN))).isEqualTo(Optional.of(Failure.NOT_LISTENING));
        assertThat(entry.isInstalled()).isFalse();
    }

    @Test
    void fullTablesRefuseAndCount() {
        for (int port = 1; port <= 8; port++) {
            assertThat(hash.reserve(flow("10.0.0.1:" + port, "10.0.0.2:1"), A)).isEmpty();
        }
        assertThat(hash.reserve(FLOW, A)).isEqualTo(Optional.of(Failure.RESOURCES));
        assertThat(hash.claim(A, request(0, 1))).isEmpty();
        assertThat(counts.of(NicCounter.FLOWS_REFUSED)).isEqualTo(2);
        assertThat(hash.listen(LISTEN, 1, 1, SynOffer.DEFAULT)).isEmpty();
        assertThat(hash.listen(listen("10.0.0.1:5001", 0), 1, 1, SynOffer.DEFAULT))
                .isEmpty();
        assertThat(hash.listen(listen("10.0.0.1:5002", 0), 1, 1, SynOffer.DEFAULT))
                .isEqualTo(Optional.of(Failure.RESOURCES));
        assertThat(counts.of(NicCounter.LISTENS_REFUSED)).isEqualTo(1);
    }

    private FlowEntry installed(Owner owner, Optional<ListenKey> listener) {
        return installed(FLOW, owner, listener);
    }

    private FlowEntry installed(FlowKey flow, Owner owner, Optional<ListenKey> listener) {
        FlowEntry entry = hash.claim(owner, request(flow, 0, 1)).orElseThrow();
        assertThat(hash.install(entry, listener)).isEmpty();
        return entry;
    }

    private static NicRequest request(long epoch, long id) {
        return request(FLOW, epoch, id);
    }

    private static NicRequest request(FlowKey flow, long epoch, long id) {
        return new NicRequest(flow, epoch, id, List.of(), Optional.empty());
    }
}
