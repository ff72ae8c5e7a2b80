package io.iwcm.cm.analyze;

/** The octets that wait in all connections together. */
final class Budget {

    private final long max;
    private long used;

    Budget(long max) {
        this.max = max;
    }

    boolean take(int octets) {
        if (used + octets > max) {
            return false;
        }
        used += octets;
        return true;
    }

    void giveBack(int octets) {
        used -= octets;
    }

    long used() {
        return used;
    }
}
