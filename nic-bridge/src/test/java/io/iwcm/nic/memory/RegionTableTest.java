package io.iwcm.nic.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.wire.Octets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a peer can reach, and with what it cannot (RFC 5040 §5.2, RFC 5041 §5.3). */
class RegionTableTest {

    private final ProtectionDomain ours = new ProtectionDomain("ours");
    private final RegionTable table = new RegionTable(3, new Random(1)::nextLong);

    private MemoryRegion region(int length, long base, Access access) {
        return table.register(ours, MemorySegment.ofArray(new byte[length]), base, access)
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        // base, length, offset, count: unsigned hex
        "1000, 10, 1000, 10, GOOD",
        "1000, 10, 100f, 1, GOOD",
        "1000, 10, 1010, 0, GOOD",
        "1000, 10, 1001, 10, OUT_OF_BOUNDS",
        "1000, 10, 1010, 1, OUT_OF_BOUNDS",
        "1000, 10, 0fff, 1, OUT_OF_BOUNDS",
        "1000, 10, 0fff, 2, OUT_OF_BOUNDS",
        "1000, 10, 0, 1, OUT_OF_BOUNDS",
        "1000, 10, 1000, 11, OUT_OF_BOUNDS",
        "1000, 10, ffffffffffffffff, 1, OUT_OF_BOUNDS",
        "1000, 10, ffffffffffffffff, 2, WRAPS",
        "1000, 10, fffffffffffffff0, ffffffff, WRAPS",
        // Around the middle and the end of the 64 bits.
        "7ffffffffffffff8, 10, 7ffffffffffffff8, 10, GOOD",
        "7ffffffffffffff8, 10, 8000000000000007, 1, GOOD",
        "7ffffffffffffff8, 10, 8000000000000008, 1, OUT_OF_BOUNDS",
        "fffffffffffffff0, 10, fffffffffffffff0, 10, GOOD",
        "fffffffffffffff0, 10, ffffffffffffffff, 1, GOOD",
        "fffffffffffffff0, 10, ffffffffffffffff, 2, WRAPS",
        "fffffffffffffff0, 10, 0, 1, OUT_OF_BOUNDS",
        "fffffffffffffff0, 10, ffffffffffffffef, 1, OUT_OF_BOUNDS",
        "0, 1, 0, 1, GOOD",
        "0, 1, 1, 1, OUT_OF_BOUNDS",
    })
    void boundsAreExactAt64Bits(String base, String length, String offset, String count, Reach reach) {
        MemoryRegion region = region(Integer.parseInt(length, 16), Long.parseUnsignedLong(base, 16), Access.ALL);
        long at = Long.parseUnsignedLong(offset, 16);
        long octets = Long.parseLong(count, 16);
        assertThat(RegionTable.reachToWrite(Optional.of(region), ours, at, octets))
                .isEqualTo(reach);
        assertThat(RegionTable.reachToRead(Optional.of(region), ours, at, octets))
                .isEqualTo(reach);
    }

    @Test
    void boundsAgreeWithCountingOctetsOneByOne() {
        assertThat(RegionTable.judge(MemorySegment.ofArray(new byte[5]), -3, Access.ALL))
                .as("would wrap")
                .contains(RegionTable.Refusal.BAD_BOUNDS);
        MemoryRegion last = region(5, -5, Access.ALL);
        for (long offset = -12; offset < 12; offset++) {
            for (int count = 1; count < 9; count++) {
                boolean wraps = false;
                boolean inside = true;
                for (int i = 0; i < count; i++) {
                    wraps |= i > 0 && offset + i == 0;
                    inside &= offset + i >= -5 && offset + i < 0;
                }
                Reach expected = wraps ? Reach.WRAPS : inside ? Reach.GOOD : Reach.OUT_OF_BOUNDS;
                assertThat(RegionTable.reachToWrite(Optional.of(last), ours, offset, count))
                        .as(offset + " " + count)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void rightsAreThoseOfTheRegion() {
        Optional<MemoryRegion> read = Optional.of(region(8, 0, Access.REMOTE_READ));
        Optional<MemoryRegion> write = Optional.of(region(8, 0, Access.REMOTE_WRITE));
        Optional<MemoryRegion> local = Optional.of(region(8, 0, Access.LOCAL_WRITE));
        assertThat(RegionTable.reachToRead(read, ours, 0, 8)).isEqualTo(Reach.GOOD);
        assertThat(RegionTable.reachToWrite(read, ours, 0, 8)).isEqualTo(Reach.NOT_ALLOWED);
        assertThat(RegionTable.reachToRead(write, ours, 0, 8)).isEqualTo(Reach.NOT_ALLOWED);
        assertThat(RegionTable.reachToWrite(write, ours, 0, 8)).isEqualTo(Reach.GOOD);
        assertThat(RegionTable.reachToRead(local, ours, 0, 8)).isEqualTo(Reach.NOT_ALLOWED);
        assertThat(RegionTable.reachToWrite(local, ours, 0, 8)).isEqualTo(Reach.NOT_ALLOWED);
    }

    @Test
    void anotherDomainReachesNothing() {
        Optional<MemoryRegion> region = Optional.of(region(8, 0, Access.ALL));
        ProtectionDomain theirs = new ProtectionDomain("ours");
        assertThat(RegionTable.reachToRead(region, theirs, 0, 1)).isEqualTo(Reach.OTHER_DOMAIN);
        assertThat(table.invalidate(region.get().stag(), theirs)).isEqualTo(Reach.OTHER_DOMAIN);
        assertThat(region.get().isValid()).isTrue();
    }

    @Test
    void anStagIsFoundWithItsKeyOnly() {
        MemoryRegion region = region(8, 0, Access.ALL);
        for (int key = 0; key < 256; key++) {
            int stag = region.stag() & ~0xff | key;
            assertThat(table.find(stag).isPresent()).isEqualTo(stag == region.stag());
        }
        assertThat(table.find(0)).isEmpty();
        assertThat(table.find(region.stag() + 0x100)).isEmpty();
        assertThat(table.find(-1)).isEmpty();
    }

    @Test
    void anInvalidatedRegionIsUnreachableAndKeepsItsPlace() {
        MemoryRegion region = region(8, 0, Access.ALL);
        assertThat(table.invalidate(region.stag(), ours)).isEqualTo(Reach.GOOD);
        assertThat(region.isValid()).isFalse();
        assertThat(RegionTable.reachToRead(table.find(region.stag()), ours, 0, 1))
                .isEqualTo(Reach.NO_SUCH_STAG);
        assertThat(table.invalidate(region.stag(), ours)).isEqualTo(Reach.NO_SUCH_STAG);
        assertThat(table.size()).isEqualTo(1);
        table.deregister(region);
        table.deregister(region);
        assertThat(table.size()).isZero();
    }

    @Test
    void aPlaceThatIsUsedAgainGetsAnotherStag() {
        Set<Integer> seen = new HashSet<>();
        int last = 0;
        for (int i = 0; i < 50; i++) {
            MemoryRegion region = region(1, 0, Access.ALL);
            assertThat(region.stag()).isNotEqualTo(last).isNotZero();
            last = region.stag();
            seen.add(last);
            table.deregister(region);
            assertThat(table.find(last)).isEmpty();
        }
        assertThat(seen).hasSizeGreaterThan(30);
    }

    @Test
    void thereAreAsManyRegionsAsTheLimitSays() {
        MemoryRegion first = region(1, 0, Access.ALL);
        region(1, 0, Access.ALL);
        region(1, 0, Access.ALL);
        MemorySegment more = MemorySegment.ofArray(new byte[1]);
        assertThat(table.register(ours, more, 0, Access.ALL)).isEmpty();
        table.deregister(first);
        assertThat(table.register(ours, more, 0, Access.ALL)).isPresent();
    }

    @Test
    void whatCannotBeRegisteredIsSaidWhy() {
        MemorySegment readOnly = MemorySegment.ofArray(new byte[1]).asReadOnly();
        assertThat(RegionTable.judge(readOnly, 0, Access.LOCAL_WRITE)).contains(RegionTable.Refusal.READ_ONLY);
        assertThat(RegionTable.judge(readOnly, 0, Access.REMOTE_READ)).isEmpty();
        assertThat(RegionTable.judge(MemorySegment.ofArray(new byte[0]), 0, Access.ALL))
                .contains(RegionTable.Refusal.BAD_BOUNDS);
        assertThat(RegionTable.judge(MemorySegment.ofArray(new byte[1]), -1, Access.ALL))
                .isEmpty();
    }

    @Test
    void memoryWhoseArenaIsClosedIsUnreachable() {
        MemoryRegion region;
        try (Arena arena = Arena.ofShared()) {
            region = table.register(ours, arena.allocate(8), 0, Access.ALL).orElseThrow();
            assertThat(RegionTable.reachToRead(Optional.of(region), ours, 0, 8)).isEqualTo(Reach.GOOD);
        }
        assertThat(RegionTable.reachToRead(Optional.of(region), ours, 0, 8)).isEqualTo(Reach.NO_SUCH_STAG);
        assertThat(Slices.of(region).usable()).isFalse();
    }

    @Test
    void slicesGatherAndScatterPartAfterPart() {
        MemoryRegion one = region(4, 0, Access.ALL);
        MemoryRegion two = region(6, 100, Access.ALL);
        Slices all = new Slices(java.util.List.of(
                new Slice(one, 1, 2), new Slice(two, 0, 0), new Slice(two, 2, 4), new Slice(one, 0, 1)));
        assertThat(all.length()).isEqualTo(7);
        assertThat(all.sound(ours, true)).isTrue();

        all.place(0, Octets.ofHex("a1a2a3"));
        all.place(3, Octets.ofHex("a4a5a6a7"));
        assertThat(octets(one)).isEqualTo(Octets.ofHex("a7a1a200"));
        assertThat(octets(two)).isEqualTo(Octets.ofHex("0000a3a4a5a6"));
        for (int from = 0; from <= 7; from++) {
            for (int count = 0; count <= 7 - from; count++) {
                byte[] target = new byte[9];
                all.copyTo(from, target, 1, count);
                Octets expected = Octets.ofHex("a1a2a3a4a5a6a7").slice(from, count);
                assertThat(Octets.copyOf(target).slice(1, count)).isEqualTo(expected);
                assertThat(target[0]).isZero();
                assertThat(target[1 + count]).isZero();
            }
        }
    }

    @Test
    void slicesOutsideTheirRegionOrDomainAreNotSound() {
        MemoryRegion region = region(4, 0, Access.REMOTE_READ);
        assertThat(Slices.of(region, 1, 3).sound(ours, false)).isTrue();
        assertThat(Slices.of(region, 1, 4).sound(ours, false)).isFalse();
        assertThat(Slices.of(region, -1, 2).sound(ours, false)).isFalse();
        assertThat(Slices.of(region, 5, 0).sound(ours, false)).isFalse();
        assertThat(Slices.of(region, 1, -1).sound(ours, false)).isFalse();
        assertThat(Slices.of(region, Long.MAX_VALUE, Long.MAX_VALUE).sound(ours, false))
                .isFalse();
        assertThat(Slices.of(region).sound(ours, true)).as("not to be written").isFalse();
        assertThat(Slices.of(region).sound(new ProtectionDomain("other"), false))
                .isFalse();
        assertThat(Slices.NONE.sound(ours, true)).isTrue();
    }

    private static Octets octets(MemoryRegion region) {
        return Octets.wrap(region.memory().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    }
}
