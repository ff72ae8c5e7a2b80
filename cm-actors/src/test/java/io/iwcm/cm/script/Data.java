package io.iwcm.cm.script;

import io.iwcm.nic.wire.Octets;
import java.nio.charset.StandardCharsets;

/** Octets as scripts write them: {@code "text"}, {@code hex 00ff}, {@code fill N}, MPA frames, sums and slices of those. */
final class Data {

    static final String ALLOWED = "\"text\", hex DIGITS, fill N, mpa-req .., mpa-rep ..";

    private Data() {}

    static boolean begins(Words words) {
        return words.nextIsQuoted()
                || switch (words.peek()) {
                    case "hex", "fill", "mpa-req", "mpa-rep" -> true;
                    default -> false;
                };
    }

    /** One or more items joined by {@code +}, then perhaps {@code bytes FROM..TO} (TO excluded). */
    static Octets parse(Words words) {
        Octets all = item(words);
        while (words.take("+")) {
            all = all.concat(item(words));
        }
        return words.take("bytes") ? slice(words, all) : all;
    }

    /** {@code "text"}, {@code hex DIGITS} or {@code fill N}: private data. */
    static Octets plain(Words words) {
        if (words.nextIsQuoted()) {
            return Octets.wrap(words.next("text").getBytes(StandardCharsets.ISO_8859_1));
        }
        if (words.take("hex")) {
            String digits = words.next("hex digits");
            if (!digits.matches("([0-9a-fA-F]{2})+")) {
                throw words.wrong("\"" + digits + "\" is not an even number of hex digits");
            }
            return Octets.ofHex(digits);
        }
        if (words.take("fill")) {
            return fill(words.number("how many octets", 1, 70_000));
        }
        throw words.error("\"text\", hex DIGITS, fill N");
    }

    /** Octets 0, 1, 2, .. 255, 0, .. */
    static Octets fill(int length) {
        byte[] octets = new byte[length];
        for (int i = 0; i < length; i++) {
            octets[i] = (byte) i;
        }
        return Octets.wrap(octets);
    }

    /** The shortest of the forms above that means exactly these octets; {@code none} without any. */
    static String text(Octets octets) {
        if (octets.isEmpty()) {
            return "none";
        }
        String frame = MpaText.describe(octets);
        return frame.isEmpty() ? plainText(octets) : frame;
    }

    static String plainText(Octets octets) {
        if (octets.isEmpty()) {
            return "none";
        }
        if (octets.length() > 4 && octets.equals(fill(octets.length()))) {
            return "fill " + octets.length();
        }
        boolean printable = true;
        for (int i = 0; i < octets.length(); i++) {
            int octet = octets.at(i);
            printable &= octet >= 0x20 && octet < 0x7f && octet != '"';
        }
        return printable
                ? '"' + new String(octets.toBytes(), StandardCharsets.ISO_8859_1) + '"'
                : "hex " + octets.toHex();
    }

    private static Octets item(Words words) {
        if (words.peek().equals("mpa-req") || words.peek().equals("mpa-rep")) {
            return MpaText.parse(words);
        }
        return plain(words);
    }

    private static Octets slice(Words words, Octets all) {
        String range = words.next("FROM..TO");
        if (!range.matches("\\d{1,5}\\.\\.\\d{1,5}")) {
            throw words.wrong("\"" + range + "\" is not a range; allowed: FROM..TO, TO excluded");
        }
        int from = Integer.parseInt(range.substring(0, range.indexOf('.')));
        int to = Integer.parseInt(range.substring(range.lastIndexOf('.') + 1));
        if (from >= to || to > all.length()) {
            throw words.wrong("bytes " + range + " do not lie within the " + all.length() + " octets before");
        }
        return all.slice(from, to - from);
    }
}
