package io.iwcm.nic.steer;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.Owner;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which dispatcher gets a new flow. */
class OwnersTest {

    private static final int FLOWS = 4_000;

    @Test
    void nobodyIsChosenWhenNobodyIsThere() {
        Owners owners = new Owners();
        assertThat(owners.choose(7)).isEmpty();
        owners.attach(new Owner(1));
        owners.attach(new Owner(1));
        assertThat(owners.size()).isEqualTo(1);
        assertThat(owners.detach(new Owner(1))).isTrue();
        assertThat(owners.detach(new Owner(1))).isFalse();
        assertThat(owners.choose(7)).isEmpty();
    }

    @Test
    void theChoiceDependsOnWhoIsThereAndNotOnWhoCameFirst() {
        Owners up = new Owners();
        Owners down = new Owners();
        for (int i = 0; i < 16; i++) {
            up.attach(new Owner(i));
            down.attach(new Owner(15 - i));
        }
        for (long flow = 0; flow < FLOWS; flow++) {
            assertThat(up.choose(flow)).isEqualTo(down.choose(flow));
        }
    }

    @Test
    void spreadsFlowsEvenly() {
        Map<Owner, Integer> shares = new HashMap<>();
        choices(withOwners(16)).values().forEach(owner -> shares.merge(owner, 1, Integer::sum));
        assertThat(shares).hasSize(16);
        assertThat(shares.values()).allSatisfy(n -> assertThat(n).isBetween(FLOWS / 32, FLOWS / 8));
    }

    @Test
    void whenOneGoesOnlyItsFlowsMove() {
        Owners owners = withOwners(16);
        Map<Long, Owner> before = choices(owners);
        owners.detach(new Owner(5));
        Map<Long, Owner> after = choices(owners);
        before.forEach((flow, owner) -> {
            if (owner.equals(new Owner(5))) {
                assertThat(after.get(flow)).isNotEqualTo(owner);
            } else {
                assertThat(after.get(flow)).isEqualTo(owner);
            }
        });
    }

    private static Owners withOwners(int count) {
        Owners owners = new Owners();
        for (int i = 0; i < count; i++) {
            owners.attach(new Owner(i));
        }
        return owners;
    }

    private static Map<Long, Owner> choices(Owners owners) {
        Map<Long, Owner> choices = new HashMap<>();
        for (long flow = 0; flow < FLOWS; flow++) {
            choices.put(flow, owners.choose(flow).orElseThrow());
        }
        return choices;
    }
}
