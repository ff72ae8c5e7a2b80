package io.iwcm.nic.testkit;

import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.wire.ArpPacket;
import io.iwcm.nic.wire.EthernetHeader;
import io.iwcm.nic.wire.NeighbourMessage;
import io.iwcm.nic.wire.Parsed;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.TcpFrame;

/** How a {@link RnicRig} writes down what comes out of its NIC. */
final class RigText {

    private RigText() {}

    static String describe(Parsed parsed) {
        return switch (parsed) {
            case Parsed.Tcp(TcpFrame frame) ->
                "tcp " + frame.addressing().flow().reversed() + priority(frame) + " " + text(frame.segment());
            case Parsed.Arp(EthernetHeader ethernet, ArpPacket p) ->
                "arp " + p.operation() + " " + p.targetIp() + " tell " + p.senderIp() + vlan(ethernet);
            case Parsed.Neighbour(EthernetHeader ethernet, NeighbourMessage.Solicitation m) ->
                "ns " + m.target() + " tell " + m.source() + vlan(ethernet);
            case Parsed.Neighbour(EthernetHeader ethernet, NeighbourMessage.Advertisement m) ->
                "na " + m.target() + " to " + m.destination() + (m.flags().solicited() ? " solicited" : "")
                        + vlan(ethernet);
            case Parsed.Echo echo ->
                "echo " + (echo.request() ? "request " : "reply ") + echo.source() + " " + echo.identifier() + "/"
                        + echo.sequence() + " " + echo.data().toHex() + vlan(echo.ethernet());
            case Parsed.IcmpError _, Parsed.Dropped _ -> throw new AssertionError("the NIC sent " + parsed);
        };
    }

    private static String vlan(EthernetHeader ethernet) {
        return ethernet.tag().id() == 0 ? "" : " vlan " + ethernet.tag().id();
    }

    static String priority(TcpFrame frame) {
        return frame.addressing().priority() == 0
                ? ""
                : " priority " + frame.addressing().priority();
    }

    /** {@code SA 100 ack 201}, with the length of the data behind if there is any. */
    static String text(Segment segment) {
        StringBuilder text = new StringBuilder();
        String letters = "FSRPAU";
        for (int bit : new int[] {1, 0, 2, 3, 4}) {
            if (segment.has(1 << bit)) {
                text.append(letters.charAt(bit));
            }
        }
        text.append(' ').append(segment.seq());
        if (segment.hasAck()) {
            text.append(" ack ").append(segment.ack());
        }
        return segment.payload().isEmpty()
                ? text.toString()
                : text.append(" +").append(segment.payload().length()).toString();
    }

    static String describe(NicEvent event) {
        return switch (event) {
            case NicEvent.AddressHandleReady(int mtu) -> "handle ready " + mtu;
            case NicEvent.AddressHandleFailed(NicEvent.Failure why) -> "handle failed " + why;
            case NicEvent.SteeringInstalled _ -> "installed";
            case NicEvent.SteeringFailed(NicEvent.Failure why) -> "steering failed " + why;
            case NicEvent.QpEvent(var ae) -> "qp " + ae.code();
            case NicEvent.ModifyQpFailed(NicEvent.Failure why) -> "qp failed " + why;
            case NicEvent.PathError(var problem, int mtu, var quoted) ->
                "path " + problem + " " + mtu + " quoting " + quoted;
            case NicEvent.Superseded _ -> "superseded";
        };
    }
}
