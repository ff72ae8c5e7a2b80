package io.iwcm.nic.wire;

/**
 * One TCP segment without its addressing: immutable, and when it was received, checksum-verified. The unit that actors
 * and the protocol core pass around.
 *
 * @param seq sequence number of the first octet (of the SYN, if there is one)
 * @param ack acknowledgement number; meaningful only with {@link #ACK}
 * @param flags the flag octet, CWR..FIN
 * @param window the window field as on the wire, unscaled, 0..65535
 * @param options what the options said; {@link TcpOptions#NONE} without any
 * @param payload the data octets
 */
public record Segment(SeqNum seq, SeqNum ack, int flags, int window, TcpOptions options, Octets payload) {

    public static final int FIN = 0x01;
    public static final int SYN = 0x02;
    public static final int RST = 0x04;
    public static final int PSH = 0x08;
    public static final int ACK = 0x10;
    public static final int URG = 0x20;
    public static final int ECE = 0x40;
    public static final int CWR = 0x80;

    public Segment {
        if (flags < 0 || flags > 0xff) {
            throw new IllegalArgumentException("flags " + flags + " are out of range: one octet is allowed");
        }
        if (window < 0 || window > 0xffff) {
            throw new IllegalArgumentException("window " + window + " is out of range: 0..65535 fit the field");
        }
    }

    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    public boolean syn() {
        return has(SYN);
    }

    public boolean fin() {
        return has(FIN);
    }

    public boolean rst() {
        return has(RST);
    }

    public boolean hasAck() {
        return has(ACK);
    }

    /** SEG.LEN of RFC 9293 §3.4: data plus one each for SYN and FIN. */
    public int sequenceLength() {
        return payload.length() + (syn() ? 1 : 0) + (fin() ? 1 : 0);
    }

    /** The sequence number after this segment. */
    public SeqNum end() {
        return seq.plus(sequenceLength());
    }
}
