package io.iwcm.cm.mpa;

import io.iwcm.cm.mpa.Decoded.Complete;
import io.iwcm.cm.mpa.Decoded.Fault;
import io.iwcm.cm.mpa.Decoded.Malformed;
import io.iwcm.cm.mpa.Decoded.NeedMore;
import io.iwcm.cm.mpa.MpaFrame.Enhanced;
import io.iwcm.cm.mpa.MpaFrame.Flags;
import io.iwcm.cm.mpa.MpaFrame.Kind;
import io.iwcm.nic.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads and writes MPA start-up frames (RFC 5044 §7.1.1, RFC 6581 §6). */
public final class MpaCodec {

    /** Octets before the private data. */
    public static final int HEADER = 20;

    /** The most that PD_Length may say; the control words of an enhanced frame count. */
    public static final int PD_LENGTH_MAX = 512;

    /** The longest frame, and so the most that start-up ever keeps of a stream. */
    public static final int FRAME_MAX = HEADER + PD_LENGTH_MAX;

    private static final int KEY_LENGTH = 16, FLAGS = 16, REVISION = 17, PD_LENGTH = 18;
    private static final int CONTROL_WORDS = 4, REVISION_ENHANCED = 2;
    private static final int M = 0x80, C = 0x40, R = 0x20, S = 0x10;
    private static final int A_OR_C = 0x8000, B_OR_D = 0x4000, DEPTH = 0x3fff;
    private static final byte[] REQUEST_KEY = "MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REPLY_KEY = "MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII);

    /** The most private data the upper layer can send. */
    public static int privateDataMax(boolean enhanced) {
        return enhanced ? PD_LENGTH_MAX - CONTROL_WORDS : PD_LENGTH_MAX;
    }

    private MpaCodec() {}

    /**
     * Reads one frame from the head of the stream. Decides as early as the octets allow: a wrong key on its first wrong
     * octet, a revision on its own octet, a length on the header alone. What it decides does not depend on how the
     * stream was cut. Octets behind the frame are not looked at.
     *
     * @param expected request at a responder, reply at an initiator
     */
    public static Decoded decode(Octets stream, Kind expected) {
        Optional<Fault> fault = keyFault(stream, expected).or(() -> headerFault(stream));
        if (fault.isPresent()) {
            return new Malformed(fault.get());
        }
        if (stream.length() < HEADER) {
            return new NeedMore(HEADER - stream.length());
        }
        int length = HEADER + stream.shortAt(PD_LENGTH);
        if (stream.length() < length) {
            return new NeedMore(length - stream.length());
        }
        return new Complete(read(stream.slice(0, length), expected), length);
    }

    /** The frame's octets. */
    public static Octets encode(MpaFrame frame) {
        int control = frame.enhanced().isPresent() ? CONTROL_WORDS : 0;
        int pdLength = control + frame.privateData().length();
        byte[] out = new byte[HEADER + pdLength];
        System.arraycopy(key(frame.kind()), 0, out, 0, KEY_LENGTH);
        Flags flags = frame.flags();
        out[FLAGS] = (byte) (bit(flags.markers(), M)
                | bit(flags.crc(), C)
                | bit(flags.rejected(), R)
                | bit(frame.enhanced().isPresent(), S));
        out[REVISION] = (byte) frame.revision();
        putShort(out, PD_LENGTH, pdLength);
        frame.enhanced().ifPresent(enhanced -> {
            RtrSet rtr = enhanced.rtr();
            int first = bit(enhanced.peerToPeer(), A_OR_C) | bit(rtr.send(), B_OR_D) | enhanced.ird();
            int second = bit(rtr.write(), A_OR_C) | bit(rtr.read(), B_OR_D) | enhanced.ord();
            putShort(out, HEADER, first);
            putShort(out, HEADER + 2, second);
        });
        frame.privateData().copyTo(out, HEADER + control);
        return Octets.wrap(out);
    }

    /** The keys differ in one octet: with it the other kind is known, whatever follows. */
    private static Optional<Fault> keyFault(Octets stream, Kind expected) {
        byte[] wanted = key(expected);
        byte[] other = key(expected == Kind.REQUEST ? Kind.REPLY : Kind.REQUEST);
        for (int i = 0; i < Math.min(KEY_LENGTH, stream.length()); i++) {
            if (stream.at(i) != wanted[i]) {
                return Optional.of(stream.at(i) == other[i] ? Fault.WRONG_KIND : Fault.BAD_KEY);
            }
        }
        return Optional.empty();
    }

    /** Faults behind the key, octet by octet; reserved bits are never looked at (RFC 5044 §7.1.1). */
    private static Optional<Fault> headerFault(Octets stream) {
        if (stream.length() > REVISION && stream.at(REVISION) > REVISION_ENHANCED) {
            return Optional.of(Fault.UNKNOWN_REVISION);
        }
        if (stream.length() > PD_LENGTH && stream.at(PD_LENGTH) > PD_LENGTH_MAX >> 8) {
            return Optional.of(Fault.PRIVATE_DATA_TOO_LONG);
        }
        if (stream.length() < HEADER) {
            return Optional.empty();
        }
        int pdLength = stream.shortAt(PD_LENGTH);
        if (pdLength > PD_LENGTH_MAX) {
            return Optional.of(Fault.PRIVATE_DATA_TOO_LONG);
        }
        return isEnhanced(stream) && pdLength < CONTROL_WORDS
                ? Optional.of(Fault.MISSING_READ_DEPTHS)
                : Optional.empty();
    }

    /** S is a reserved bit before revision 2. */
    private static boolean isEnhanced(Octets header) {
        return header.at(REVISION) == REVISION_ENHANCED && (header.at(FLAGS) & S) != 0;
    }

    private static MpaFrame read(Octets frame, Kind kind) {
        int bits = frame.at(FLAGS);
        Flags flags = new Flags((bits & M) != 0, (bits & C) != 0, (bits & R) != 0);
        if (!isEnhanced(frame)) {
            return new MpaFrame(kind, flags, frame.at(REVISION), Optional.empty(), frame.from(HEADER));
        }
        int first = frame.shortAt(HEADER);
        int second = frame.shortAt(HEADER + 2);
        RtrSet rtr = new RtrSet((first & B_OR_D) != 0, (second & A_OR_C) != 0, (second & B_OR_D) != 0);
        Enhanced enhanced = new Enhanced((first & A_OR_C) != 0, rtr, first & DEPTH, second & DEPTH);
        Octets privateData = frame.from(HEADER + CONTROL_WORDS);
        return new MpaFrame(kind, flags, frame.at(REVISION), Optional.of(enhanced), privateData);
    }

    private static byte[] key(Kind kind) {
        return switch (kind) {
            case REQUEST -> REQUEST_KEY;
            case REPLY -> REPLY_KEY;
        };
    }

    private static int bit(boolean set, int mask) {
        return set ? mask : 0;
    }

    private static void putShort(byte[] out, int at, int value) {
        out[at] = (byte) (value >>> 8);
        out[at + 1] = (byte) value;
    }
}
