package io.iwcm.cm.analyze;

import io.iwcm.cm.mpa.MpaFrame;
import io.iwcm.cm.mpa.RtrSet;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/** What was seen, in words for the time line and the explanations. */
final class Words {

    private static final int SHOWN_MAX = 48;
    private static final double NS_PER_MS = 1e6;

    private Words() {}

    static String options(Sighting.SynOptions options) {
        StringJoiner words = new StringJoiner(", ");
        words.add(options.mss() < 0 ? "no MSS" : "MSS " + options.mss());
        if (options.windowScale() >= 0) {
            words.add("window scale " + options.windowScale());
        }
        if (options.malformed()) {
            words.add("a malformed option");
        }
        return words.toString();
    }

    /** A whole MPA frame. */
    static String frame(StartUp startUp) {
        MpaFrame frame = startUp.frame().orElseThrow();
        StringJoiner words = new StringJoiner(", ");
        if (frame.flags().rejected()) {
            words.add(frame.kind() == MpaFrame.Kind.REPLY ? "REJECTED" : "R set");
        }
        words.add("rev " + frame.revision());
        frame.enhanced()
                .ifPresent(e -> words.add("IRD " + depth(e.ird()))
                        .add("ORD " + depth(e.ord()))
                        .add(e.peerToPeer() ? "peer-to-peer, RTR " + rtr(e.rtr()) : "client-server"));
        words.add(frame.flags().crc() ? "CRC" : "no CRC");
        if (frame.flags().markers()) {
            words.add("markers");
        }
        if (!frame.privateData().isEmpty()) {
            words.add(privateData(frame.privateData(), startUp.notCaptured()));
        }
        return words.toString();
    }

    static String badFrame(StartUp startUp) {
        String kind = startUp.kind()
                .map(k -> k == MpaFrame.Kind.REPLY ? "reply" : "request")
                .orElse("frame");
        Octets head = startUp.head();
        return "malformed " + kind + ", "
                + startUp.fault()
                        .map(fault -> switch (fault) {
                            case BAD_KEY, WRONG_KIND -> "its key is wrong";
                            case UNKNOWN_REVISION -> "rev " + head.at(17);
                            case PRIVATE_DATA_TOO_LONG ->
                                "private data length " + (head.length() > 19 ? head.shortAt(18) : head.at(18) << 8);
                            case MISSING_READ_DEPTHS -> "S set and private data length " + head.shortAt(18);
                        })
                        .orElse("cut short");
    }

    static String fpdu(Fpdu fpdu) {
        return fpdu.words()
                + ", ULPDU of "
                + octets(fpdu.ulpduLength())
                + switch (fpdu.crc()) {
                    case RIGHT -> ", CRC right";
                    case WRONG -> ", CRC WRONG";
                    case UNCHECKED -> "";
                }
                + (fpdu.markersRight() ? "" : ", MARKER WRONG");
    }

    static String data(Octets beginning) {
        return "begins with " + show(beginning);
    }

    static String depth(int field) {
        return field == ReadDepths.NOT_NEGOTIATED ? "not negotiated (0x3FFF)" : Integer.toString(field);
    }

    static String rtr(RtrSet set) {
        StringJoiner names = new StringJoiner("|");
        names.setEmptyValue("none");
        if (set.send()) {
            names.add("send");
        }
        if (set.write()) {
            names.add("write");
        }
        if (set.read()) {
            names.add("read");
        }
        return names.toString();
    }

    /** @param notCaptured octets at its end that are only zeros of ours */
    static String privateData(Octets data, int notCaptured) {
        int captured = Math.max(0, data.length() - notCaptured);
        Octets shown = data.slice(0, Math.min(captured, SHOWN_MAX));
        return octets(data.length()) + " of private data"
                + (shown.isEmpty() ? "" : " " + show(shown) + (shown.length() < captured ? ".." : ""))
                + (captured < data.length() ? " (" + (data.length() - captured) + " not captured)" : "");
    }

    /** Text in quotes when all of it is printable ASCII, else hex; nothing that a terminal would act on. */
    static String show(Octets octets) {
        for (int i = 0; i < octets.length(); i++) {
            if (octets.at(i) < ' ' || octets.at(i) > '~') {
                return "0x" + octets.toHex();
            }
        }
        return '"' + new String(octets.toBytes(), StandardCharsets.US_ASCII) + '"';
    }

    static String octets(long count) {
        return count(count, "octet");
    }

    static String count(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    static String times(int count) {
        return count == 1 ? "once" : count == 2 ? "twice" : count + " times";
    }

    /** A span of time with as many digits as people look at. */
    static String span(long ns) {
        double ms = ns / NS_PER_MS;
        return Math.abs(ms) >= 1000
                ? String.format(java.util.Locale.ROOT, "%.1f s", ms / 1000)
                : String.format(java.util.Locale.ROOT, Math.abs(ms) >= 10 ? "%.0f ms" : "%.3f ms", ms);
    }
}
