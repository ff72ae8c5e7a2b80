package io.iwcm.nic.testkit;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;

/** Short ways to write the values that steering tests are full of. */
public final class Flows {

    private Flows() {}

    public static IpAddress ip(String text) {
        return IpAddress.parse(text);
    }

    public static MacAddress mac(int last) {
        return new MacAddress(0x02_00_5e_00_00_00L | last);
    }

    /** {@code 10.0.0.1:5000} or {@code [fd00::1]:5000}. */
    public static Endpoint end(String text) {
        int colon = text.lastIndexOf(':');
        String address = text.substring(0, colon).replace("[", "").replace("]", "");
        return new Endpoint(ip(address), Integer.parseInt(text.substring(colon + 1)));
    }

    public static FlowKey flow(String local, String remote) {
        return flow(local, remote, 0);
    }

    public static FlowKey flow(String local, String remote, int vlan) {
        return new FlowKey(end(local), end(remote), vlan);
    }

    public static ListenKey listen(String local, int vlan) {
        return new ListenKey(end(local), vlan);
    }

    /** {@code 10.0.0.1/24} on a VLAN. */
    public static LocalAddress address(String text, int vlan) {
        int slash = text.indexOf('/');
        return new LocalAddress(ip(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)), vlan);
    }

    public static SeqNum seq(long value) {
        return new SeqNum((int) value);
    }

    /** Flags by their letters: S, F, R, P, A. */
    public static Segment segment(String flags, long seq, long ack, String payload) {
        int bits = 0;
        for (char flag : flags.toCharArray()) {
            bits |= switch (flag) {
                case 'S' -> Segment.SYN;
                case 'F' -> Segment.FIN;
                case 'R' -> Segment.RST;
                case 'P' -> Segment.PSH;
                case 'A' -> Segment.ACK;
                default -> throw new IllegalArgumentException("flag " + flag);
            };
        }
        byte[] octets = payload.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        return new Segment(seq(seq), seq(ack), bits, 8192, TcpOptions.NONE, Octets.wrap(octets));
    }

    public static Segment syn(long seq) {
        return segment("S", seq, 0, "");
    }
}
