package io.iwcm.cm.script;

import io.iwcm.cm.mpa.RtrSet;
import io.iwcm.nic.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/**
 * MPA frames in words. Built and read here octet by octet after RFC 5044 §7.1.1 and RFC 6581 §6, without the codec that
 * the scripts are to judge.
 */
final class MpaText {

    static final int DO_NOT_NEGOTIATE = 0x3fff;

    private static final String REQUEST = "MPA ID Req Frame";
    private static final String REPLY = "MPA ID Rep Frame";
    private static final String WORDS =
            "rev N, plain, p2p, no-p2p, ird N|none, ord N|none, rtr send,write,read, crc, markers, reject, pd ..,"
                    + " pd-length N";

    private final boolean reply;
    private int revision = 2;
    private boolean plain;
    private boolean peerToPeer;
    private boolean notPeerToPeer;
    private RtrSet rtr = RtrSet.NONE;
    private int ird;
    private int ord;
    private int flags;
    private Octets privateData = Octets.EMPTY;
    private int length = -1;

    private MpaText(boolean reply) {
        this.reply = reply;
    }

    /** Reads {@code mpa-req} or {@code mpa-rep} and all words after it that belong to a frame. */
    static Octets parse(Words words) {
        MpaText frame = new MpaText(words.next(WORDS).equals("mpa-rep"));
        while (frame.word(words)) {
            // Each turn has taken a word.
        }
        return frame.encode();
    }

    /** The words for a whole well-formed frame; empty for anything else. */
    static String describe(Octets octets) {
        if (octets.length() < 20) {
            return "";
        }
        String key = new String(octets.slice(0, 16).toBytes(), StandardCharsets.ISO_8859_1);
        MpaText frame = new MpaText(key.equals(REPLY));
        int flags = octets.at(16);
        frame.revision = octets.at(17);
        frame.plain = frame.revision >= 2 && (flags & 0x10) == 0;
        frame.flags = flags & 0xe0;
        int from = 20;
        if (frame.enhanced()) {
            if (octets.length() < 24) {
                return "";
            }
            int first = octets.shortAt(20);
            int second = octets.shortAt(22);
            frame.rtr = new RtrSet((first & 0x4000) != 0, (second & 0x8000) != 0, (second & 0x4000) != 0);
            frame.peerToPeer = (first & 0x8000) != 0;
            frame.notPeerToPeer = !frame.peerToPeer;
            frame.ird = first & 0x3fff;
            frame.ord = second & 0x3fff;
            from = 24;
        }
        frame.privateData = octets.from(from);
        return frame.encode().equals(octets) ? frame.text() : "";
    }

    static RtrSet rtr(Words words) {
        String list = words.next("send,write,read or some of them, or none");
        RtrSet set = RtrSet.NONE;
        for (String form : list.equals("none") ? new String[0] : list.split(",", -1)) {
            set = switch (form) {
                case "send" -> new RtrSet(true, set.write(), set.read());
                case "write" -> new RtrSet(set.send(), true, set.read());
                case "read" -> new RtrSet(set.send(), set.write(), true);
                default ->
                    throw words.wrong("\"" + form + "\" is no RTR form; allowed: send, write, read, none, with commas");
            };
        }
        return set;
    }

    static int depth(Words words, String what) {
        return words.take("none") ? DO_NOT_NEGOTIATE : words.number(what, 0, DO_NOT_NEGOTIATE);
    }

    private boolean word(Words words) {
        switch (words.peek()) {
            case "rev" -> {
                words.next("rev");
                revision = words.number("a revision", 0, 255);
            }
            case "ird" -> {
                words.next("ird");
                ird = depth(words, "IRD");
            }
            case "ord" -> {
                words.next("ord");
                ord = depth(words, "ORD");
            }
            case "rtr" -> {
                words.next("rtr");
                rtr = rtr(words);
                peerToPeer = true;
            }
            case "pd" -> {
                words.next("pd");
                privateData = Data.plain(words);
            }
            case "pd-length" -> {
                words.next("pd-length");
                length = words.number("PD_Length", 0, 65_535);
            }
            case "plain" -> plain = words.take("plain");
            case "p2p" -> peerToPeer = words.take("p2p");
            case "no-p2p" -> notPeerToPeer = words.take("no-p2p");
            case "crc" -> flags |= words.take("crc") ? 0x40 : 0;
            case "markers" -> flags |= words.take("markers") ? 0x80 : 0;
            case "reject" -> flags |= words.take("reject") ? 0x20 : 0;
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean enhanced() {
        return revision >= 2 && !plain;
    }

    private Octets encode() {
        int control = enhanced() ? 4 : 0;
        int pdLength = length >= 0 ? length : control + privateData.length();
        byte[] head = new byte[20 + control];
        System.arraycopy((reply ? REPLY : REQUEST).getBytes(StandardCharsets.ISO_8859_1), 0, head, 0, 16);
        head[16] = (byte) (flags | (enhanced() ? 0x10 : 0));
        head[17] = (byte) revision;
        put(head, 18, pdLength);
        if (enhanced()) {
            put(head, 20, (peerToPeer && !notPeerToPeer ? 0x8000 : 0) | (rtr.send() ? 0x4000 : 0) | ird);
            put(head, 22, (rtr.write() ? 0x8000 : 0) | (rtr.read() ? 0x4000 : 0) | ord);
        }
        return Octets.wrap(head).concat(privateData);
    }

    private String text() {
        StringJoiner out = new StringJoiner(" ");
        out.add(reply ? "mpa-rep" : "mpa-req").add("rev " + revision);
        if (plain) {
            out.add("plain");
        }
        if (enhanced()) {
            out.add("ird " + depthText(ird)).add("ord " + depthText(ord));
            if (!rtr.isEmpty()) {
                out.add("rtr " + rtrText(rtr));
                if (notPeerToPeer) {
                    out.add("no-p2p");
                }
            } else if (!notPeerToPeer) {
                out.add("p2p");
            }
        }
        addFlag(out, 0x20, "reject");
        addFlag(out, 0x40, "crc");
        addFlag(out, 0x80, "markers");
        if (!privateData.isEmpty()) {
            out.add("pd " + Data.plainText(privateData));
        }
        return out.toString();
    }

    static String rtrText(RtrSet set) {
        StringJoiner forms = new StringJoiner(",");
        forms.setEmptyValue("none");
        if (set.send()) {
            forms.add("send");
        }
        if (set.write()) {
            forms.add("write");
        }
        if (set.read()) {
            forms.add("read");
        }
        return forms.toString();
    }

    static String depthText(int depth) {
        return depth == DO_NOT_NEGOTIATE ? "none" : Integer.toString(depth);
    }

    private void addFlag(StringJoiner out, int flag, String word) {
        if ((flags & flag) != 0) {
            out.add(word);
        }
    }

    private static void put(byte[] target, int at, int value) {
        target[at] = (byte) (value >>> 8);
        target[at + 1] = (byte) value;
    }
}
