package io.iwcm.nic.link;

import java.util.List;

/** One attachment to a {@link MemoryWire}. */
final class MemoryPort implements Link {

    private static final int ETHERNET_HEADER = 14;
    private static final int VLAN_TAG = 4;
    private static final int VLAN_TYPE = 0x8100;

    private final MemoryWire wire;
    private final String name;
    private final int mtu;
    private final Faults faults;
    private final Tally tally = new Tally();
    private final Gate gate = new Gate();
    private int reserved; // Guarded by the wire's lock.

    MemoryPort(MemoryWire wire, String name, int mtu, Faults faults) {
        this.wire = wire;
        this.name = "memory:" + name;
        this.mtu = mtu;
        this.faults = faults;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int mtu() {
        return mtu;
    }

    @Override
    public void start(Receiver receiver) {
        gate.open(receiver, name);
    }

    @Override
    public void transmit(List<byte[]> frames) {
        wire.carry(this, frames);
    }

    @Override
    public LinkCounters counters() {
        return tally.snapshot();
    }

    @Override
    public void close() {
        wire.detach(this);
        gate.shut();
    }

    void deliver(List<byte[]> frames) {
        gate.pass(frames, tally);
    }

    /** Has a whole header and no more payload than the MTU; an 802.1Q tag is not payload. */
    boolean fits(byte[] frame) {
        if (frame.length < ETHERNET_HEADER) {
            return false;
        }
        boolean tagged = ((frame[12] & 0xff) << 8 | (frame[13] & 0xff)) == VLAN_TYPE;
        return frame.length - ETHERNET_HEADER - (tagged ? VLAN_TAG : 0) <= mtu;
    }

    /** Takes one place in the queue towards this attachment; false when all are taken. */
    boolean reserve(int placesMax) {
        if (reserved >= placesMax) {
            return false;
        }
        reserved++;
        return true;
    }

    void release(int places) {
        reserved -= places;
    }

    Faults faults() {
        return faults;
    }

    Tally tally() {
        return tally;
    }
}
