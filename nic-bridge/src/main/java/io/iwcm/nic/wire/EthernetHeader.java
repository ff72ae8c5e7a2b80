package io.iwcm.nic.wire;

/**
 * An Ethernet II header with at most one 802.1Q tag, as it stands on the wire.
 *
 * @param destination who is to read the frame
 * @param source who sent it
 * @param tag the tag; {@link #NO_TAG} for an untagged frame (a tag of VID 0 and priority 0 says nothing else)
 */
public record EthernetHeader(MacAddress destination, MacAddress source, VlanTag tag) {

    public static final VlanTag NO_TAG = new VlanTag(0, false, VlanTag.UNTAGGED);

    static final int LENGTH = 14;
    static final int TAG_LENGTH = 4;
    static final int TYPE_IPV4 = 0x0800;
    static final int TYPE_ARP = 0x0806;
    static final int TYPE_VLAN = 0x8100;
    static final int TYPE_IPV6 = 0x86dd;

    /** The header of an answer by {@code localMac}: back to the sender, on its VLAN, with its priority. */
    public EthernetHeader reply(MacAddress localMac) {
        return new EthernetHeader(source, localMac, tag);
    }

    /** Whether the frame carries a tag: with a VLAN, or with VID 0 to carry a priority (IEEE 802.1Q §6.9). */
    boolean isTagged() {
        return tag.id() != VlanTag.UNTAGGED || tag.priority() != 0;
    }
}
