package io.iwcm.cm.rping;

import java.nio.charset.StandardCharsets;

/** The content of a ping: its number, then letters that begin one further each time, and a NUL at the end. */
final class PingText {

    private static final int FIRST = 'A';
    private static final int LAST = 'z';
    private static final int LETTERS = LAST - FIRST + 1;

    private PingText() {}

    static byte[] of(int ping, int size) {
        byte[] text = new byte[size];
        byte[] number = ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < size - 1; i++) {
            text[i] = i < number.length ? number[i] : (byte) (FIRST + (ping + i - number.length) % LETTERS);
        }
        return text;
    }

    /** Up to the first NUL. */
    static String shown(byte[] text) {
        return new String(text, 0, lengthWithNul(text) - 1, StandardCharsets.US_ASCII);
    }

    /** Octets up to and with the first NUL; one more than all without one. */
    static int lengthWithNul(byte[] text) {
        int length = 0;
        while (length < text.length && text[length] != 0) {
            length++;
        }
        return length + 1;
    }
}
