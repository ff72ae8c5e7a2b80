package io.iwcm.nic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random and mutated frames: nothing throws, and what is accepted means what it says. */
class FuzzTest {

    private static final int ROUNDS = 40_000;

    /** Enough of everything is reached, so that a reader that is never entered does not go unnoticed. */
    @Test
    void mutatedFramesAreUnderstoodOrDroppedByName() {
        Map<String, Integer> outcomes = new TreeMap<>();
        for (long seed : new long[] {101, 102, 103, 104}) {
            var generated = new Generated(seed);
            for (int i = 0; i < ROUNDS; i++) {
                byte[] frame = mutate(generated, valid(generated));
                outcomes.merge(outcome(FrameParser.parse(frame, Origin.LOOPBACK)), 1, Integer::sum);
                outcome(FrameParser.parse(frame));
            }
        }
        assertThat(outcomes.keySet())
                .contains("Tcp", "Arp", "Neighbour", "Echo", "IcmpError")
                .contains("IPV4_BAD_CHECKSUM", "IPV4_FRAGMENT", "IPV4_BAD_TOTAL_LENGTH", "IPV4_BAD_HEADER_LENGTH")
                .contains("IPV6_BAD_EXTENSION", "IPV6_FRAGMENT", "IPV6_ROUTED", "IPV6_BAD_OPTION")
                .contains("ICMP_MALFORMED", "ICMP_UNUSED", "ND_INVALID")
                .contains("TCP_TRUNCATED", "TCP_BAD_OFFSET", "TCP_BAD_CHECKSUM", "TCP_BAD_FLAGS");
    }

    @ParameterizedTest
    @ValueSource(longs = {201, 202})
    void randomOctetsAreUnderstoodOrDroppedByName(long seed) {
        var generated = new Generated(seed);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] frame = generated.octets(generated.below(120));
            if (frame.length > 18) {
                steerTowardsReaders(generated, frame);
            }
            outcome(FrameParser.parse(frame));
        }
    }

    private static void steerTowardsReaders(Generated generated, byte[] frame) {
        int[] types = {0x0800, 0x86dd, 0x0806, 0x8100};
        RawFrames.put16(frame, 12, types[generated.below(types.length)]);
        frame[6] &= (byte) 0xfe;
        frame[14] = (byte) (RawFrames.shortAt(frame, 12) == 0x0800 ? 0x45 : 0x60);
    }

    private static byte[] valid(Generated generated) {
        return switch (generated.below(8)) {
            case 3 -> errorAbout(FrameEncoder.tcp(generated.tcpFrame(), 1));
            case 4 -> behindExtension(generated);
            case 0 -> FrameEncoder.arp(generated.ethernet(), generated.arp());
            case 1 -> FrameEncoder.neighbour(generated.ethernet(), generated.neighbour());
            case 2 -> FrameEncoder.echo(generated.echo(), generated.below(65_536));
            default -> FrameEncoder.tcp(generated.tcpFrame(), generated.below(65_536));
        };
    }

    /** An error that quotes what such a frame carries, be that IPv4 or not. */
    private static byte[] errorAbout(byte[] frame) {
        byte[] quoted = RawFrames.cut(frame, RawFrames.IP, Math.min(frame.length, 100));
        return RawFrames.icmp(RawFrames.join(RawFrames.hex("03 03 0000 00000000"), quoted));
    }

    private static byte[] behindExtension(Generated generated) {
        int[] types = {0, 43, 44, 60};
        byte[] body = generated.octets(6);
        body[0] = (byte) generated.below(8);
        body[1] = (byte) generated.below(5);
        byte[] segment =
                RawFrames.segment(RawFrames.PEER_V6, RawFrames.OUR_V6, Segment.ACK, new byte[0], generated.octets(20));
        return RawFrames.ipv6(types[generated.below(4)], RawFrames.join(new byte[] {RawFrames.TCP, 0}, body, segment));
    }

    private static byte[] mutate(Generated generated, byte[] valid) {
        byte[] frame = valid.clone();
        int reach = generated.flip() ? frame.length : Math.min(frame.length, 80);
        for (int changes = generated.below(4); changes > 0; changes--) {
            frame[generated.below(reach)] = (byte) (generated.flip() ? generated.below(256) : generated.below(8));
        }
        if (generated.below(8) == 0) {
            return RawFrames.cut(frame, 0, generated.below(frame.length + 1));
        }
        return generated.flip() ? resealed(frame) : frame;
    }

    /** Right checksums again, as far as the headers still say where they belong: damage then reaches further up. */
    private static byte[] resealed(byte[] frame) {
        if (frame.length < RawFrames.TCP_V4 + 20) {
            return frame;
        }
        boolean isV4 = RawFrames.shortAt(frame, 12) == 0x0800;
        byte[] right = isV4 ? RawFrames.resealedIpv4(frame) : frame;
        int headerLength = isV4 ? (right[RawFrames.IP] & 0xf) * 4 : 40;
        int at = RawFrames.IP + headerLength;
        int end = isV4
                ? RawFrames.IP + RawFrames.shortAt(right, RawFrames.IP + 2)
                : at + RawFrames.shortAt(right, RawFrames.IP + 4);
        int protocol = right[RawFrames.IP + (isV4 ? 9 : 6)];
        boolean fits = at >= RawFrames.TCP_V4 && at + 20 <= end && end <= right.length;
        if (!fits || (!isV4 && RawFrames.shortAt(frame, 12) != 0x86dd)) {
            return right;
        }
        if (protocol == RawFrames.TCP) {
            return RawFrames.resealedTcp(right);
        }
        byte[] message = RawFrames.with(RawFrames.cut(right, at, end), 2, 0, 0);
        if (protocol == RawFrames.ICMP && isV4) {
            RawFrames.put16(right, at + 2, RawFrames.checksum(message));
        } else if (protocol == RawFrames.ICMPV6 && !isV4) {
            byte[] addresses = RawFrames.cut(right, RawFrames.IP + 8, RawFrames.IP + 40);
            byte[] tail = {0, 0, (byte) (message.length >>> 8), (byte) message.length, 0, 0, 0, RawFrames.ICMPV6};
            RawFrames.put16(right, at + 2, RawFrames.checksum(RawFrames.join(addresses, tail, message)));
        }
        return right;
    }

    /** The outcome's name, after checking that it can be said again: encoded anew it parses to the same. */
    private static String outcome(Parsed parsed) {
        return switch (parsed) {
            case Parsed.Dropped(Drop why) -> {
                assertThat(why).isNotEqualTo(Drop.NONE);
                yield why.name();
            }
            case Parsed.Tcp(TcpFrame frame) -> {
                TcpOptions options = frame.segment().options();
                if (!options.malformed() && options.mss() != 0) {
                    byte[] again = FrameEncoder.tcp(Expect.mirrored(frame), 1);
                    assertParsesTo(parsed, again);
                }
                yield "Tcp";
            }
            case Parsed.Arp(EthernetHeader ethernet, ArpPacket packet) -> {
                assertSaidAgain(parsed, ethernet, FrameEncoder.arp(ethernet, packet));
                yield "Arp";
            }
            case Parsed.Neighbour(EthernetHeader ethernet, NeighbourMessage message) -> {
                assertSaidAgain(parsed, ethernet, FrameEncoder.neighbour(ethernet, message));
                yield "Neighbour";
            }
            case Parsed.Echo echo -> {
                assertSaidAgain(parsed, echo.ethernet(), FrameEncoder.echo(echo, 1));
                yield "Echo";
            }
            case Parsed.IcmpError error -> {
                assertThat(error.mtu()).isNotNegative();
                yield "IcmpError";
            }
        };
    }

    private static void assertSaidAgain(Parsed parsed, EthernetHeader ethernet, byte[] again) {
        // A tag that says nothing but "drop me first" is not sent again.
        if (ethernet.isTagged() || !ethernet.tag().dropEligible()) {
            assertParsesTo(parsed, again);
        }
    }

    private static void assertParsesTo(Parsed parsed, byte[] frame) {
        // Cheaper than to ask AssertJ a quarter of a million times.
        if (!FrameParser.parse(frame, Origin.LOOPBACK).equals(parsed)) {
            assertThat(FrameParser.parse(frame, Origin.LOOPBACK)).isEqualTo(parsed);
        }
    }
}
