package io.iwcm.cm.ops;

import io.iwcm.nic.link.PcapFrame;
import io.iwcm.nic.link.PcapReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Writes pcapng files, big endian, for tests of what reads them. */
final class Pcapng {

    private Pcapng() {}

    /** The frames of a pcap file, in turn by two interfaces that count nanoseconds, one of them by default units. */
    static byte[] ofTwoInterfaces(byte[] pcap) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        block(
                out,
                0x0a0d0d0a,
                ByteBuffer.allocate(16)
                        .putInt(0x1a2b3c4d)
                        .putShort((short) 1)
                        .putShort((short) 0)
                        .putLong(-1));
        for (int i = 0; i < 2; i++) { // Option 9: a time stamp counts units of ten to the power of minus nine.
            ByteBuffer body = ByteBuffer.allocate(20)
                    .putShort((short) 1)
                    .putShort((short) 0)
                    .putInt(0);
            block(
                    out,
                    1,
                    body.putShort((short) 9).putShort((short) 1).put((byte) 9).position(20));
        }
        int turn = 0;
        try (PcapReader frames = PcapReader.from(new ByteArrayInputStream(pcap), "recorded")) {
            for (var next = frames.next(); next.isPresent(); next = frames.next()) {
                PcapFrame frame = next.get();
                ByteBuffer body = ByteBuffer.allocate(20 + (frame.octets().length + 3) / 4 * 4);
                body.putInt(turn++ % 2).putInt((int) (frame.epochNs() >>> 32)).putInt((int) frame.epochNs());
                body.putInt(frame.octets().length).putInt(frame.lengthOctets()).put(frame.octets());
                block(out, 6, body.position(body.limit()));
                block(out, 5, ByteBuffer.allocate(12).position(12)); // Statistics, to be skipped.
            }
        }
        return out.toByteArray();
    }

    private static void block(ByteArrayOutputStream out, int type, ByteBuffer body) {
        int length = body.position() + 12;
        out.writeBytes(ByteBuffer.allocate(8).putInt(type).putInt(length).array());
        out.write(body.array(), 0, body.position());
        out.writeBytes(ByteBuffer.allocate(4).putInt(length).array());
    }
}
