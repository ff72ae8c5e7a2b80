package io.iwcm.nic.steer;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.listen;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.wire.FlowKey;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A flow and an endpoint that is listened on are found by their whole key. */
class FlowLookUpTest {

    @Test
    void findsAFlowByEveryPartOfItsKey() {
        QuadHash hash = new QuadHash(100, 1, new NicCounts());
        List<FlowKey> eachInOnePartAnother = List.of(
                flow("10.0.0.1:5000", "10.0.0.2:33000"),
                flow("10.0.0.1:5000", "10.0.0.2:33000", 7),
                flow("10.0.0.3:5000", "10.0.0.2:33000"),
                flow("10.0.0.1:5001", "10.0.0.2:33000"),
                flow("10.0.0.1:5000", "10.0.0.4:33000"),
                flow("10.0.0.1:5000", "10.0.0.2:33001"),
                flow("[::ffff:10.0.0.1]:5000", "[::ffff:10.0.0.2]:33000"),
                flow("[::a00:1]:5000", "[::a00:2]:33000"));
        for (FlowKey flow : eachInOnePartAnother) {
            assertThat(hash.find(flow)).as("before it is entered: %s", flow).isEmpty();
            assertThat(hash.reserve(flow, new Owner(1))).isEmpty();
        }
        assertThat(eachInOnePartAnother)
                .allSatisfy(
                        flow -> assertThat(hash.find(flow).map(FlowEntry::flow)).isEqualTo(Optional.of(flow)));
        assertThat(hash.find(eachInOnePartAnother.getFirst().reversed())).isEmpty();
    }

    @Test
    void findsAListenerByEveryPartOfItsKey() {
        QuadHash hash = new QuadHash(1, 100, new NicCounts());
        List<ListenKey> eachInOnePartAnother = List.of(
                listen("10.0.0.1:5000", 0),
                listen("10.0.0.1:5000", 7),
                listen("10.0.0.2:5000", 0),
                listen("10.0.0.1:5001", 0),
                listen("[::ffff:10.0.0.1]:5000", 0),
                listen("[::a00:1]:5000", 0));
        for (ListenKey key : eachInOnePartAnother) {
            assertThat(hash.listener(key)).as("before it is entered: %s", key).isEmpty();
            assertThat(hash.listen(key, 1, 1, SynOffer.DEFAULT)).isEmpty();
        }
        assertThat(eachInOnePartAnother)
                .allSatisfy(
                        key -> assertThat(hash.listener(key).map(SynEntry::key)).isEqualTo(Optional.of(key)));
        hash.unlisten(eachInOnePartAnother.getFirst());
        assertThat(eachInOnePartAnother)
                .filteredOn(key -> hash.listener(key).isPresent())
                .hasSize(5);
    }
}
