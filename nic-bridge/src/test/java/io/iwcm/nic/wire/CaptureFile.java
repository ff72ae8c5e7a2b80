package io.iwcm.nic.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Just enough of pcap and pcapng to get at the frames of a file; stops where the file is cut. */
final class CaptureFile {

    static final int ETHERNET = 1;

    private static final int PCAPNG = 0x0a0d0d0a;
    private static final int INTERFACE = 1;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;

    /** A frame, and whether the file has all of it (captures may keep only the first octets). */
    record Captured(byte[] frame, boolean isWhole) {}

    private final int linkType;
    private final List<Captured> frames;

    private CaptureFile(int linkType, List<Captured> frames) {
        this.linkType = linkType;
        this.frames = frames;
    }

    /** Link type of the (first) interface. */
    int linkType() {
        return linkType;
    }

    List<Captured> frames() {
        return frames;
    }

    static boolean isCapture(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            byte[] magic = in.readNBytes(4);
            return magic.length == 4 && (isPcapng(magic) || order(magic) != null);
        }
    }

    static CaptureFile read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return isPcapng(bytes) ? pcapng(buffer) : pcap(buffer.order(order(bytes)));
    }

    private static boolean isPcapng(byte[] start) {
        return ByteBuffer.wrap(start).getInt(0) == PCAPNG;
    }

    /** Byte order by magic, microseconds or nanoseconds; null when it is no pcap. */
    private static ByteOrder order(byte[] start) {
        return switch (ByteBuffer.wrap(start).getInt(0)) {
            case 0xa1b2c3d4, 0xa1b23c4d -> ByteOrder.BIG_ENDIAN;
            case 0xd4c3b2a1, 0x4d3cb2a1 -> ByteOrder.LITTLE_ENDIAN;
            default -> null;
        };
    }

    private static CaptureFile pcap(ByteBuffer in) {
        int linkType = in.getInt(20) & 0xfff_ffff;
        in.position(24);
        List<Captured> frames = new ArrayList<>();
        while (in.remaining() >= 16) {
            in.getLong();
            int captured = in.getInt();
            int original = in.getInt();
            if (captured < 0 || captured > in.remaining()) {
                break;
            }
            frames.add(frame(in, captured, original));
        }
        return new CaptureFile(linkType, frames);
    }

    private static Captured frame(ByteBuffer in, int captured, int original) {
        byte[] frame = new byte[captured];
        in.get(frame);
        return new Captured(frame, captured == original);
    }

    private static CaptureFile pcapng(ByteBuffer in) {
        in.order(in.getInt(8) == 0x1a2b3c4d ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        int linkType = -1;
        List<Captured> frames = new ArrayList<>();
        while (in.remaining() >= 12) {
            int start = in.position();
            int type = in.getInt();
            int length = in.getInt();
            if (length < 12 || length > in.limit() - start) {
                break;
            }
            if (type == INTERFACE && linkType < 0) {
                linkType = in.getShort() & 0xffff;
            } else if (type == ENHANCED_PACKET) {
                in.position(in.position() + 12);
                int captured = in.getInt();
                frames.add(frame(in, captured, in.getInt()));
            } else if (type == SIMPLE_PACKET) {
                int original = in.getInt();
                frames.add(frame(in, Math.min(original, length - 16), original));
            }
            in.position(start + length);
        }
        return new CaptureFile(linkType, frames);
    }
}
