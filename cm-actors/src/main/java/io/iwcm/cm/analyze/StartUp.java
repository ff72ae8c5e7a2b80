package io.iwcm.cm.analyze;

import io.iwcm.cm.mpa.Decoded;
import io.iwcm.cm.mpa.Decoded.Complete;
import io.iwcm.cm.mpa.Decoded.Fault;
import io.iwcm.cm.mpa.Decoded.Malformed;
import io.iwcm.cm.mpa.Decoded.NeedMore;
import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.cm.mpa.MpaFrame.Kind;
import io.iwcm.nic.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The MPA frame at the head of one direction (RFC 5044 §7.1.1), however it is cut. Looks for its key at the beginning of
 * every segment until it has found one: start-up may follow octets of streaming mode, or the capture begins late.
 */
final class StartUp {

    private static final Octets KEYS_COMMON = Octets.wrap("MPA ID Re".getBytes(StandardCharsets.US_ASCII));
    private static final int KIND_AT = 9;

    /** After so much without a key the connection is none of ours. */
    private static final int SEARCHED_MAX = 64 * 1024;

    private Octets head = Octets.EMPTY;
    private Optional<MpaFrame> frame = Optional.empty();
    private Optional<Fault> fault = Optional.empty();
    private Stamp first = new Stamp(0, 0);
    private int segments;
    private int notCaptured;
    private int wanted = 1;
    private long searched;
    private Octets beginning = Octets.EMPTY;

    /** A key has been found, or what may become one. */
    boolean began() {
        return !head.isEmpty();
    }

    Optional<MpaFrame> frame() {
        return frame;
    }

    Optional<Fault> fault() {
        return fault;
    }

    /** The frame's octets so far, from its key on; those that were not captured are zero. */
    Octets head() {
        return head;
    }

    /** Octets at the end of the frame that were not captured. */
    int notCaptured() {
        return notCaptured;
    }

    /** Segments that the frame took. */
    int segments() {
        return segments;
    }

    /** Where the frame began. */
    Stamp first() {
        return first;
    }

    /** Octets before the frame, or all when there is none. */
    long searched() {
        return searched;
    }

    /** The first octets of a stream that does not begin with a key. */
    Octets beginning() {
        return beginning;
    }

    boolean over() {
        return frame.isPresent() || fault.isPresent() || searched > SEARCHED_MAX;
    }

    /** What the first octets of the head say; empty while only the common part of the keys is there. */
    Optional<Kind> kind() {
        return head.length() <= KIND_AT
                ? Optional.empty()
                : Optional.of(head.at(KIND_AT) == 'p' ? Kind.REPLY : Kind.REQUEST);
    }

    /** Octets missing at least, as far as the head tells; 0 when the frame is whole. */
    int wanted() {
        return over() ? 0 : wanted;
    }

    /** Takes octets; returns how many of them, from the first on, are not behind the frame. */
    int take(Octets octets, Stamp stamp) {
        if (head.isEmpty() && !mayBeKey(octets)) {
            passBy(octets);
            return octets.length();
        }
        first = head.isEmpty() ? stamp : first;
        int before = head.length();
        segments++;
        head = head.concat(octets.slice(0, Math.min(octets.length(), MpaCodec.FRAME_MAX - before)));
        return decode(before, octets);
    }

    /** Octets of the stream that were not captured; returns how many of them are not behind the frame. */
    int hole(int octets, Stamp stamp) {
        if (head.length() < MpaCodec.HEADER + 4) { // Not even what was asked for is there.
            searched += head.length() + octets;
            head = Octets.EMPTY;
            return octets;
        }
        int within = Math.min(octets, wanted);
        notCaptured += within;
        return take(Octets.wrap(new byte[within]), stamp);
    }

    private static boolean mayBeKey(Octets octets) {
        int known = Math.min(octets.length(), KEYS_COMMON.length());
        return octets.slice(0, known).equals(KEYS_COMMON.slice(0, known));
    }

    private void passBy(Octets octets) {
        beginning = searched == 0 ? octets.slice(0, Math.min(octets.length(), 16)) : beginning;
        searched += octets.length();
    }

    private int decode(int before, Octets octets) {
        Decoded decoded = MpaCodec.decode(head, Kind.REQUEST);
        if (decoded instanceof Malformed(Fault why) && why == Fault.WRONG_KIND) {
            decoded = MpaCodec.decode(head, Kind.REPLY);
        }
        return switch (decoded) {
            case NeedMore(int more) -> {
                wanted = more;
                yield octets.length();
            }
            case Complete(MpaFrame whole, int length) -> {
                frame = Optional.of(whole);
                head = head.slice(0, length);
                yield length - before;
            }
            case Malformed(Fault why) -> {
                if (why == Fault.BAD_KEY) {
                    Octets all = head;
                    head = Octets.EMPTY;
                    segments = 0;
                    passBy(all);
                } else {
                    fault = Optional.of(why);
                }
                yield octets.length();
            }
        };
    }
}
