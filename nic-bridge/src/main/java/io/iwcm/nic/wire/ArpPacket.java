package io.iwcm.nic.wire;

/**
 * An ARP packet for IPv4 on Ethernet (RFC 826, RFC 5227).
 *
 * @param operation request or reply
 * @param senderMac whose announcement it is
 * @param senderIp the sender's address; 0.0.0.0 in a probe
 * @param targetMac whom it is for; {@link MacAddress#ZERO} while unknown
 * @param targetIp the address asked for or answered to
 */
public record ArpPacket(
        Operation operation, MacAddress senderMac, Ipv4Address senderIp, MacAddress targetMac, Ipv4Address targetIp) {

    /** What an ARP packet wants. */
    public enum Operation {
        REQUEST,
        REPLY
    }

    /** Asks who has {@code targetIp}. */
    public static ArpPacket request(MacAddress senderMac, Ipv4Address senderIp, Ipv4Address targetIp) {
        return new ArpPacket(Operation.REQUEST, senderMac, senderIp, MacAddress.ZERO, targetIp);
    }

    /** Tells everybody that {@code ip} is at {@code mac} (gratuitous ARP, RFC 5227 §3: a request for oneself). */
    public static ArpPacket announcement(MacAddress mac, Ipv4Address ip) {
        return request(mac, ip, ip);
    }

    /** The reply to this request by the host that has its target address. */
    public ArpPacket reply(MacAddress localMac) {
        return new ArpPacket(
                Operation.REPLY,
                /* senderMac= */ localMac,
                /* senderIp= */ targetIp,
                /* targetMac= */ senderMac,
                /* targetIp= */ senderIp);
    }

    /** Sender and target address are one: an announcement, asking nobody. */
    public boolean isGratuitous() {
        return senderIp.equals(targetIp);
    }

    /** A request from 0.0.0.0: somebody checks whether the target address is free; nothing may be learnt from it. */
    public boolean isProbe() {
        return operation == Operation.REQUEST && senderIp.isUnspecified();
    }
}
