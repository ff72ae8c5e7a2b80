package io.iwcm.nic.spi;

/**
 * A queue pair of one bridge's NIC.
 *
 * @param number 1..2^24-1, unique at its NIC
 */
public record QpId(int number) {

    public QpId {
        if (number < 1 || number >= 1 << 24) {
            throw new IllegalArgumentException("QP number " + number + " is out of range: 1..16777215 are allowed");
        }
    }

    @Override
    public String toString() {
        return "qp " + number;
    }
}
