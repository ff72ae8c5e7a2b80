package io.iwcm.nic.spi;

/**
 * RDMA Read limits of one end, from its own view (RFC 6581 §9.1).
 *
 * @param ird reads this end can receive at once, 0..16382
 * @param ord reads this end will issue at once, 0..16382
 */
public record ReadDepths(int ird, int ord) {

    /** The largest number that the 14-bit fields can carry as a number; 0x3FFF means "do not negotiate". */
    public static final int MAX = 0x3ffe;

    /** The field value for "do not negotiate this one". */
    public static final int NOT_NEGOTIATED = 0x3fff;

    public ReadDepths {
        if (ird < 0 || ord < 0 || ird > MAX || ord > MAX) {
            throw new IllegalArgumentException("IRD " + ird + " / ORD " + ord + ": 0..16382 are allowed");
        }
    }

    /** These numbers, or {@link #MAX} where they are larger: no number means "do not negotiate". */
    public static ReadDepths atMost(int ird, int ord) {
        return new ReadDepths(Math.min(ird, MAX), Math.min(ord, MAX));
    }

    @Override
    public String toString() {
        return "ird " + ird + " ord " + ord;
    }
}
