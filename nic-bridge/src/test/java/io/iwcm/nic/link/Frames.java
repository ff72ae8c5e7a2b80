package io.iwcm.nic.link;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Small Ethernet frames for link tests: an experimental EtherType and a number as payload. */
final class Frames {

    static final long MAC_A = 0x0200_0000_000aL;
    static final long MAC_B = 0x0200_0000_000bL;
    static final long MAC_C = 0x0200_0000_000cL;
    static final long BROADCAST = 0xffff_ffff_ffffL;

    private Frames() {}

    static byte[] frame(long to, long from, int number) {
        return frame(to, from, number, 64);
    }

    static byte[] frame(long to, long from, int number, int length) {
        ByteBuffer frame = ByteBuffer.allocate(length);
        frame.putShort((short) (to >>> 32)).putInt((int) to);
        frame.putShort((short) (from >>> 32)).putInt((int) from);
        return frame.putShort((short) 0x88b5).putInt(number).array();
    }

    static List<byte[]> numbered(long to, long from, int count) {
        List<byte[]> frames = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            frames.add(frame(to, from, number));
        }
        return frames;
    }

    static int number(byte[] frame) {
        return ByteBuffer.wrap(frame).getInt(14);
    }

    /** A receiver that keeps what it gets. */
    static final class Sink implements Link.Receiver {
        final List<byte[]> frames = new ArrayList<>();
        final List<Integer> batchSizes = new ArrayList<>();

        @Override
        public void frames(List<byte[]> batch) {
            frames.addAll(batch);
            batchSizes.add(batch.size());
        }

        List<Integer> numbers() {
            return frames.stream().map(Frames::number).toList();
        }
    }
}
