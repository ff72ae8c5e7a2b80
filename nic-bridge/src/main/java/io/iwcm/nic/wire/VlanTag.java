package io.iwcm.nic.wire;

/**
 * An IEEE 802.1Q tag's control information.
 *
 * @param priority PCP, 0..7
 * @param dropEligible DEI
 * @param id VID, 0..4094; 0 is a priority tag, which matches like an untagged frame
 */
public record VlanTag(int priority, boolean dropEligible, int id) {

    /** The VLAN id that flows without a VLAN carry. */
    public static final int UNTAGGED = 0;

    public static final int ID_MAX = 4094;

    public VlanTag {
        if (priority < 0 || priority > 7) {
            throw new IllegalArgumentException("VLAN priority " + priority + " is out of range: 0..7 are allowed");
        }
        if (id < 0 || id > 0xfff) {
            throw new IllegalArgumentException("VLAN id " + id + " is out of range: 0..4095 fit a tag");
        }
    }

    public static VlanTag ofControl(int control) {
        return new VlanTag((control >>> 13) & 7, (control & 0x1000) != 0, control & 0xfff);
    }

    /** PCP, DEI and VID in 16 bits. */
    public int control() {
        return priority << 13 | (dropEligible ? 0x1000 : 0) | id;
    }
}
