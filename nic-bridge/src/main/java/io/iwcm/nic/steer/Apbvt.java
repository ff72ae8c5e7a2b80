package io.iwcm.nic.steer;

/**
 * The accelerated port bit vector: which local TCP ports are in use here, and by how many. Listeners and connections
 * share a port; the port is ours from its first user to its last. Single-threaded, so that an addition and a deletion of
 * one port cannot overtake each other.
 */
public final class Apbvt {

    private final int[] uses = new int[0x1_0000];
    private final NicCounts counts;
    private int ports;

    public Apbvt(NicCounts counts) {
        this.counts = counts;
    }

    /** One more use. */
    public void add(int port) {
        if (uses[port]++ == 0) {
            ports++;
            counts.add(NicCounter.APBVT_ADDS);
        }
    }

    /**
     * One use less.
     *
     * @throws IllegalStateException when there was none: somebody gives back twice
     */
    public void delete(int port) {
        if (uses[port] == 0) {
            throw new IllegalStateException("port " + port + " is not in use");
        }
        if (--uses[port] == 0) {
            ports--;
            counts.add(NicCounter.APBVT_DELETES);
        }
    }

    /** Whether the port is ours. */
    public boolean has(int port) {
        return uses[port] > 0;
    }

    public int uses(int port) {
        return uses[port];
    }

    /** How many ports are ours. */
    public int ports() {
        return ports;
    }
}
