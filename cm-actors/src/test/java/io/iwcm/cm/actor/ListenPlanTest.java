package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.testkit.Flows;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListenPlanTest {

    private static final LocalAddress ONE = Flows.address("10.0.0.1/24", 0);
    private static final LocalAddress TAGGED = Flows.address("10.1.0.1/24", 100);
    private static final LocalAddress SIX = Flows.address("fd00::1/64", 0);
    private static final LocalAddress LINK = Flows.address("fe80::1/64", 0);
    private static final LocalAddress LINK_TAGGED = Flows.address("fe80::1/64", 100);
    private static final List<LocalAddress> ALL = List.of(ONE, TAGGED, SIX, LINK, LINK_TAGGED);

    @Test
    void givesAWildcardEveryAddressOfItsFamilyOnEveryVlan() {
        assertThat(plan(listen("0.0.0.0:5000")))
                .containsExactly(Map.entry(key("10.0.0.1:5000", 0), 1L), Map.entry(key("10.1.0.1:5000", 100), 1L));
    }

    @Test
    void givesADualStackWildcardIpv4Too() {
        assertThat(plan(listen("[::]:5000"))).hasSize(5);
        assertThat(plan(only6("[::]:5000")).keySet())
                .containsExactly(key("[fd00::1]:5000", 0), key("[fe80::1]:5000", 0), key("[fe80::1]:5000", 100));
    }

    @Test
    void givesAnAddressEachVlanItIsOn() {
        assertThat(plan(listen("[fe80::1]:5000")).keySet())
                .containsExactly(key("[fe80::1]:5000", 0), key("[fe80::1]:5000", 100));
        assertThat(plan(onVlan("[fe80::1]:5000", 100)).keySet()).containsExactly(key("[fe80::1]:5000", 100));
    }

    @Test
    void prefersTheMostSpecificWhateverCameFirst() {
        assertThat(plan(listen("0.0.0.0:5000"), listen("10.0.0.1:5000")))
                .containsExactly(Map.entry(key("10.0.0.1:5000", 0), 2L), Map.entry(key("10.1.0.1:5000", 100), 1L));
        assertThat(plan(listen("10.0.0.1:5000"), listen("0.0.0.0:5000")))
                .containsExactly(Map.entry(key("10.0.0.1:5000", 0), 1L), Map.entry(key("10.1.0.1:5000", 100), 2L));
        assertThat(plan(listen("0.0.0.0:5000"), onVlan("0.0.0.0:5000", 100)).get(key("10.1.0.1:5000", 100)))
                .isEqualTo(2);
        assertThat(plan(listen("[::]:5000"), listen("0.0.0.0:5000")).get(key("10.0.0.1:5000", 0)))
                .isEqualTo(2);
    }

    @Test
    void keepsPortsApart() {
        assertThat(plan(listen("10.0.0.1:5000"), listen("10.0.0.1:5001"))).hasSize(2);
    }

    @Test
    void callsOnlyTheSameEndpointACollision() {
        assertThat(ListenPlan.collide(listen("10.0.0.1:5000"), listen("10.0.0.1:5000")))
                .isTrue();
        assertThat(ListenPlan.collide(listen("10.0.0.1:5000"), listen("0.0.0.0:5000")))
                .isFalse();
        assertThat(ListenPlan.collide(listen("10.0.0.1:5000"), onVlan("10.0.0.1:5000", 0)))
                .isFalse();
        assertThat(ListenPlan.collide(listen("[::]:5000"), listen("0.0.0.0:5000")))
                .isFalse();
    }

    private static Map<ListenKey, Long> plan(ListenOrder... orders) {
        Map<Long, ListenOrder> listeners = new LinkedHashMap<>();
        for (ListenOrder order : orders) listeners.put(listeners.size() + 1L, order);
        return ListenPlan.arrange(listeners, ALL);
    }

    private static ListenKey key(String local, int vlan) {
        return Flows.listen(local, vlan);
    }

    private static ListenOrder listen(String local) {
        return order(local, ListenOrder.ANY_VLAN, false);
    }

    private static ListenOrder onVlan(String local, int vlan) {
        return order(local, vlan, false);
    }

    private static ListenOrder only6(String local) {
        return order(local, ListenOrder.ANY_VLAN, true);
    }

    private static ListenOrder order(String local, int vlan, boolean familyOnly) {
        return new ListenOrder(
                Flows.end(local),
                vlan,
                familyOnly,
                ListenOrder.Backlog.DEFAULT,
                ListenOrder.Tos.DEFAULT,
                new ListenOrder.AnswerPolicy.Ask());
    }
}
