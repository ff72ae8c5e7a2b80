package io.iwcm.nic.steer;

import static io.iwcm.nic.testkit.Flows.flow;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The keyed hash of flows, against the published test vectors of SipHash-2-4 with the key 00 01 .. 0f. */
class SipHashTest {

    private static final long KEY0 = 0x0706050403020100L;
    private static final long KEY1 = 0x0f0e0d0c0b0a0908L;

    @Test
    void hashesNothingAsPublished() {
        assertThat(new SipHash.Rounds(KEY0, KEY1).finish()).isEqualTo(0x726fdb47dd0e0e31L);
    }

    @Test
    void hashesAWholeWordAsPublished() {
        SipHash.Rounds rounds = new SipHash.Rounds(KEY0, KEY1);
        rounds.word(0x0706050403020100L);
        assertThat(rounds.finish()).isEqualTo(0x93f5f5799a932462L);
    }

    @Test
    void hashesFifteenOctetsAsPublished() {
        SipHash.Rounds rounds = new SipHash.Rounds(KEY0, KEY1);
        rounds.word(0x0706050403020100L);
        assertThat(rounds.finish(0x0f_0e0d0c0b0a0908L)).isEqualTo(0xa129ca6149be45e5L);
    }

    @Test
    void tellsFlowsApartByEveryPart() {
        SipHash hash = new SipHash(1, 2);
        List<Long> hashes = List.of(
                hash.of(flow("10.0.0.1:1", "10.0.0.2:2")),
                hash.of(flow("10.0.0.3:1", "10.0.0.2:2")),
                hash.of(flow("10.0.0.1:3", "10.0.0.2:2")),
                hash.of(flow("10.0.0.1:1", "10.0.0.3:2")),
                hash.of(flow("10.0.0.1:1", "10.0.0.2:3")),
                hash.of(flow("10.0.0.1:1", "10.0.0.2:2", 1)),
                hash.of(flow("10.0.0.2:2", "10.0.0.1:1")),
                hash.of(flow("[::a00:1]:1", "[::a00:2]:2")),
                new SipHash(1, 3).of(flow("10.0.0.1:1", "10.0.0.2:2")));
        Set<Long> distinct = new HashSet<>(hashes);
        assertThat(distinct).hasSameSizeAs(hashes);
        assertThat(hash.toString()).doesNotContain("1").doesNotContain("2");
    }
}
