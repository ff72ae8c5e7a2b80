package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.segment;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.NicCommand.AddApbvt;
import io.iwcm.nic.spi.NicCommand.AddQuadHash;
import io.iwcm.nic.spi.NicCommand.CreateAh;
import io.iwcm.nic.spi.NicCommand.DeleteQuadHash;
import io.iwcm.nic.spi.NicCommand.FreeAh;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicCommand.Transmit;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.testkit.RnicRig.Adopted;
import io.iwcm.nic.wire.FlowKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Dispatchers that come, go and come back with orders they thought of long ago, beside a model that knows one owner, one
 * epoch and one checkpoint per flow: only the owner's orders leave the NIC, and nothing that was stored is lost.
 */
class SuccessionModelTest {

    private static final int STEPS = 500;

    private record Saved(int number) implements Checkpoint {}

    /** A flow as the model sees it. */
    private record Owned(Owner owner, long epoch, long lastId, Saved saved) {}

    /** A right that somebody has, or has had. */
    private record Right(Owner owner, FlowKey flow, long epoch) {}

    private final RnicRig rig = RnicRig.with("10.0.0.1/24");
    private final List<Owner> attached = new ArrayList<>(List.of(RnicRig.A));
    private final Map<FlowKey, Owned> flows = new LinkedHashMap<>();
    private final List<Right> past = new ArrayList<>();
    private int lastSaved;
    private long lastOwner = 100;
    private long highestEpoch;

    static long[] seeds() {
        return new Random(815).longs(20).toArray();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void onlyTheOwnersOrdersCountAndNothingStoredIsLost(long seed) {
        Random random = new Random(seed);
        RnicSnapshot.Held before = rig.held();
        for (int step = 0; step < STEPS; step++) {
            FlowKey flow = flow("10.0.0.1:5000", "10.0.0.2:" + (1 + random.nextInt(8)));
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> begin(flow, attached.get(random.nextInt(attached.size())));
                case 3, 4, 5 -> order(flow);
                case 6 -> repeat(flow);
                case 7, 8 -> wakeUp(random);
                case 9 -> arrive(flow);
                case 10 -> change(random);
                default -> end(flow);
            }
            flows.forEach((key, owned) -> {
                assertThat(rig.rnic().epochOf(key)).isEqualTo(Optional.of(owned.epoch));
                assertThat(rig.rnic().checkpointOf(key)).isEqualTo(Optional.of(owned.saved));
            });
            assertThat(rig.held().flows()).isEqualTo(flows.size());
            assertThat(rig.held().ports()).isEqualTo(flows.isEmpty() ? 0 : 1);
        }
        List.copyOf(attached).forEach(owner -> rig.order(new NicControl.Detach(1, owner, false)));
        assertThat(rig.held()).isEqualTo(before);
    }

    private void begin(FlowKey flow, Owner owner) {
        if (flows.containsKey(flow)) {
            return;
        }
        rig.install(owner, flow, Optional.empty());
        Saved saved = new Saved(++lastSaved);
        rig.request(owner, flow, 0, 3, 2, Optional.of(saved), new AddApbvt());
        long epoch = rig.rnic().epochOf(flow).orElseThrow();
        assertThat(epoch).isGreaterThan(highestEpoch);
        highestEpoch = epoch;
        flows.put(flow, new Owned(owner, epoch, 3, saved));
        past.add(new Right(owner, flow, 0));
        past.add(new Right(owner, flow, epoch));
        rig.take();
    }

    private void order(FlowKey flow) {
        Owned owned = flows.get(flow);
        if (owned == null) {
            return;
        }
        Saved saved = new Saved(++lastSaved);
        long id = owned.lastId + 1;
        rig.request(owned.owner, flow, owned.epoch, id, 2, Optional.of(saved), new Transmit(segment("A", id, 7, "")));
        assertThat(rig.take()).containsExactly("> " + PEER + " tcp " + flow + " A " + id + " ack 7");
        flows.put(flow, new Owned(owned.owner, owned.epoch, id, saved));
    }

    private void repeat(FlowKey flow) {
        Owned owned = flows.get(flow);
        if (owned == null || owned.lastId == 0) {
            return;
        }
        rig.request(
                owned.owner, flow, owned.epoch, owned.lastId, 2, Optional.of(owned.saved), transmit(), new AddApbvt());
        assertThat(rig.take()).isEmpty();
    }

    private static Transmit transmit() {
        return new Transmit(segment("R", 666, 666, ""));
    }

    /** Somebody orders by a right that is not his any more, or never was. */
    private void wakeUp(Random random) {
        if (past.isEmpty()) {
            return;
        }
        Right right = past.get(random.nextInt(past.size()));
        Owned owned = flows.get(right.flow);
        if (owned == null && right.epoch == 0 && attached.contains(right.owner)) {
            return; // Whoever is there may begin.
        }
        if (owned != null && owned.owner.equals(right.owner) && (right.epoch == 0 || right.epoch == owned.epoch)) {
            return; // It is his.
        }
        RnicSnapshot.Held before = rig.held();
        Optional<Checkpoint> bad = random.nextBoolean() ? Optional.of(new Saved(-1)) : Optional.empty();
        long id = 1 + random.nextInt(100);
        if (random.nextBoolean()) {
            rig.request(right.owner, right.flow, right.epoch, id, 99, bad, new DeleteQuadHash(), new FreeAh());
        } else {
            rig.request(
                    right.owner,
                    right.flow,
                    right.epoch,
                    id,
                    99,
                    bad,
                    new CreateAh(Path.DEFAULT),
                    new AddQuadHash(Optional.empty()),
                    transmit(),
                    new AddApbvt(),
                    new DeleteQuadHash());
        }
        assertThat(rig.take()).allMatch(line -> line.startsWith("event " + right.owner.id() + " "));
        assertThat(rig.held()).isEqualTo(before);
    }

    private void arrive(FlowKey flow) {
        Owned owned = flows.get(flow);
        if (owned != null) {
            rig.receive(flow, segment("A", 1, 2, ""));
            assertThat(rig.take()).containsExactly("ilq " + owned.owner.id() + " " + flow + " A 1 ack 2");
        }
    }

    private void change(Random random) {
        Owner gone = attached.get(random.nextInt(attached.size()));
        Owner fresh = new Owner(++lastOwner);
        switch (random.nextInt(3)) {
            case 0 -> {
                attached.add(fresh);
                rig.order(new NicControl.Attach(1, fresh));
                assertThat(rig.take()).as("nothing moves to who joins").isEmpty();
                return;
            }
            case 1 -> {
                attached.remove(gone);
                attached.add(fresh);
                rig.order(new NicControl.Attach(1, fresh, Optional.of(gone)));
            }
            default -> {
                if (attached.size() == 1) {
                    return;
                }
                attached.remove(gone);
                rig.order(new NicControl.Detach(1, gone));
            }
        }
        adopted(gone);
    }

    private void adopted(Owner gone) {
        List<FlowKey> theirs = flows.keySet().stream()
                .filter(flow -> flows.get(flow).owner.equals(gone))
                .toList();
        List<Adopted> adoptions = rig.takeAdopted();
        assertThat(rig.take()).hasSize(adoptions.size());
        assertThat(adoptions).extracting(adoption -> adoption.adopt().flow()).containsExactlyElementsOf(theirs);
        for (Adopted adoption : adoptions) {
            FlowKey flow = adoption.adopt().flow();
            assertThat(attached).contains(adoption.to());
            assertThat(adoption.adopt().epoch()).isGreaterThan(highestEpoch);
            assertThat(adoption.adopt().checkpoint()).isEqualTo(flows.get(flow).saved);
            assertThat(adoption.adopt().events()).isEmpty();
            highestEpoch = adoption.adopt().epoch();
            flows.put(flow, new Owned(adoption.to(), highestEpoch, 0, flows.get(flow).saved));
            past.add(new Right(adoption.to(), flow, highestEpoch));
        }
    }

    private void end(FlowKey flow) {
        Owned owned = flows.remove(flow);
        if (owned != null) {
            rig.request(
                    owned.owner,
                    flow,
                    owned.epoch,
                    owned.lastId + 1,
                    2,
                    Optional.empty(),
                    new DeleteQuadHash(),
                    new FreeAh());
            assertThat(rig.take()).isEmpty();
        }
    }
}
