package io.iwcm.nic.link;

import java.util.List;

/** One attachment to a {@link MemoryWire}. */
final class MemoryPort implements Link {

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

    void deliverGuarded(List<byte[]> frames) {
        gate.passGuarded(frames, tally, name);
    }

    boolean fits(byte[] frame) {
        return FrameSize.fits(frame, mtu);
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
