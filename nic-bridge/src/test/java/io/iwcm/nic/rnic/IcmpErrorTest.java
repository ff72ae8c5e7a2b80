package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.OURS;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static io.iwcm.nic.testkit.RnicRig.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.MacAddress;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ICMP and ICMPv6 errors: given to the connection whose segment they quote, which then judges the number. */
class IcmpErrorTest {

    private static final FlowKey V4 = flow("10.0.0.1:40000", "10.0.0.2:4420");
    private static final FlowKey V6 = flow("[fd00::1]:40000", "[fd00::2]:4420");
    private static final IpAddress ROUTER_V4 = IpAddress.parse("10.0.0.254");
    private static final IpAddress ROUTER_V6 = IpAddress.parse("fd00::fe");

    private final RnicRig rig = RnicRig.with("10.0.0.1/24", "fd00::1/64");

    @ParameterizedTest
    @CsvSource({
        "3, 0, 0, SOFT 0",
        "3, 1, 0, SOFT 0",
        "3, 2, 0, PROTOCOL_UNREACHABLE 0",
        "3, 3, 0, PORT_UNREACHABLE 0",
        "3, 4, 1400, PACKET_TOO_BIG 1400",
        "3, 5, 0, SOFT 0",
        "3, 13, 0, SOFT 0",
        "11, 0, 0, SOFT 0",
        "12, 0, 0, SOFT 0"
    })
    void areGivenToTheConnectionTheyQuote(int type, int code, int mtu, String told) {
        long epoch = installed(V4);
        rig.receive(error(V4, type, code, mtu));
        assertThat(rig.take())
                .containsExactly("event 1 " + V4 + " epoch " + epoch + " path " + told + " quoting 16909060");
        assertThat(rig.count(NicCounter.ICMP_ERRORS)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, 0, SOFT 0",
        "1, 3, 0, SOFT 0",
        "1, 4, 0, PORT_UNREACHABLE 0",
        "2, 0, 1280, PACKET_TOO_BIG 1280",
        "3, 0, 0, SOFT 0",
        "3, 1, 0, SOFT 0",
        "4, 0, 0, SOFT 0",
        "4, 1, 0, SOFT 0",
        "4, 2, 0, SOFT 0"
    })
    void overIpv6AreGivenToTheConnectionTheyQuote(int type, int code, int mtu, String told) {
        long epoch = installed(V6);
        rig.receive(error(V6, type, code, mtu));
        assertThat(rig.take())
                .containsExactly("event 1 " + V6 + " epoch " + epoch + " path " + told + " quoting 16909060");
    }

    @Test
    void aboutNobodysFlowAreCounted() {
        rig.receive(error(V4, 3, 3, 0));
        assertThat(rig.take()).isEmpty();
        assertThat(rig.drops(Drop.NO_STEERING)).isEqualTo(1);
        assertThat(rig.count(NicCounter.ICMP_ERRORS)).isZero();
    }

    @Test
    void aboutAnotherHostsSegmentAreCounted() {
        rig.receive(error(flow("10.0.0.9:40000", "10.0.0.2:4420"), 3, 3, 0));
        assertThat(rig.take()).isEmpty();
        assertThat(rig.drops(Drop.ADDRESS_NOT_LOCAL)).isEqualTo(1);
    }

    @Test
    void areLimited() {
        RnicConfig.Behaviour b = RnicConfig.Behaviour.DEFAULT;
        RnicRig slow = new RnicRig(RnicRig.behaving(
                RnicRig.quiet("10.0.0.1/24"),
                new RnicConfig.Behaviour(b.unmatched(), 10, 100, 5, false, b.timeWaitNs(), b.claimNs())));
        slow.order(new NicControl.Attach(0, A));
        slow.install(A, V4, Optional.empty());
        slow.take();
        for (int i = 0; i < 50; i++) {
            slow.receive(error(V4, 3, 1, 0));
        }
        assertThat(slow.take()).hasSize(5);
        assertThat(slow.count(NicCounter.ICMP_LIMITED)).isEqualTo(45);
        slow.pass(SECOND);
        slow.receive(error(V4, 3, 1, 0));
        assertThat(slow.take()).hasSize(1);
    }

    private long installed(FlowKey flow) {
        long epoch = rig.install(A, flow, Optional.empty());
        rig.take();
        return epoch;
    }

    /** From a router of the link, about a segment of ours with sequence number 0x01020304. */
    static byte[] error(FlowKey flow, int type, int code, int mtu) {
        IpAddress local = flow.local().address();
        IpAddress remote = flow.remote().address();
        byte[] ports = hex("%04x %04x 01020304"
                .formatted(flow.local().port(), flow.remote().port()));
        if (local.isV4()) {
            byte[] quoted = join(hex("4500 0028 0001 4000 40 06 0000"), local.toBytes(), remote.toBytes(), ports);
            byte[] icmp = sealed(join(hex("%02x %02x 0000 0000 %04x".formatted(type, code, mtu)), quoted), 2, 0);
            byte[] ip = hex("4500 %04x 0007 4000 40 01 0000".formatted(20 + icmp.length));
            return ethernet("0800", sealed(join(ip, ROUTER_V4.toBytes(), local.toBytes()), 10, 0), icmp);
        }
        byte[] quoted = join(hex("60000000 0014 06 80"), local.toBytes(), remote.toBytes(), ports);
        byte[] icmp = join(hex("%02x %02x 0000 %08x".formatted(type, code, mtu)), quoted);
        int pseudo = sum(join(ROUTER_V6.toBytes(), local.toBytes(), hex("%08x 0000003a".formatted(icmp.length))));
        byte[] ip = hex("60000000 %04x 3a 40".formatted(icmp.length));
        return ethernet("86dd", join(ip, ROUTER_V6.toBytes(), local.toBytes()), sealed(icmp, 2, pseudo));
    }

    private static byte[] ethernet(String type, byte[] ip, byte[] icmp) {
        return join(mac(OURS), mac(PEER), hex(type), ip, icmp);
    }

    private static byte[] mac(MacAddress mac) {
        return hex(mac.toString().replace(":", ""));
    }

    private static byte[] sealed(byte[] octets, int at, int begin) {
        int sum = begin + sum(octets);
        while (sum > 0xffff) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        octets[at] = (byte) (~sum >>> 8);
        octets[at + 1] = (byte) ~sum;
        return octets;
    }

    private static int sum(byte[] octets) {
        int sum = 0;
        for (int i = 0; i < octets.length; i += 2) {
            sum += (octets[i] & 0xff) << 8 | (octets[i + 1] & 0xff);
        }
        return sum;
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }
}
