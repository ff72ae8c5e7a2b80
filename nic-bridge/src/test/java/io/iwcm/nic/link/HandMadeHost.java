package io.iwcm.nic.link;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;

/**
 * An IPv4 host made by hand on a link, with nothing of {@code nic.wire}: answers ARP and ICMP echo, keeps the rest for the
 * test to look at.
 */
final class HandMadeHost implements Link.Receiver {

    static final long MAC = 0x0200_5e00_0002L;
    static final int ADDRESS = 0xc612_4d02; // 198.18.77.2
    static final int KERNEL = 0xc612_4d01; // 198.18.77.1
    private static final int ARP = 0x0806;
    private static final int IPV4 = 0x0800;

    final BlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();
    private final Link link;

    HandMadeHost(Link link) {
        this.link = link;
        link.start(this);
    }

    @Override
    public void frames(List<byte[]> batch) {
        for (byte[] frame : batch) {
            answerArp(frame);
            answerEcho(frame);
            frames.add(frame);
        }
    }

    /** Waits for the next frame of a kind; others are skipped. */
    byte[] await(Predicate<byte[]> kind) throws InterruptedException {
        byte[] frame = frames.take();
        while (!kind.test(frame)) {
            frame = frames.take();
        }
        return frame;
    }

    static boolean isArpRequest(byte[] frame) {
        return type(frame) == ARP && ByteBuffer.wrap(frame).getShort(20) == 1;
    }

    static boolean isUdp(byte[] frame) {
        return type(frame) == IPV4 && frame[23] == 17;
    }

    static boolean isIcmp(byte[] frame, int icmpType) {
        return type(frame) == IPV4 && frame[23] == 1 && frame[34] == icmpType;
    }

    static int type(byte[] frame) {
        return ByteBuffer.wrap(frame).getShort(12) & 0xffff;
    }

    /** An ICMP echo request to the kernel, to everybody's MAC address. */
    static byte[] echoRequest(int dataOctets) {
        ByteBuffer frame = ByteBuffer.allocate(14 + 20 + 8 + dataOctets);
        frame.putShort((short) -1)
                .putInt(-1)
                .putShort((short) (MAC >>> 32))
                .putInt((int) MAC)
                .putShort((short) IPV4);
        frame.put((byte) 0x45).put((byte) 0).putShort((short) (28 + dataOctets)).putInt(0x0001_4000);
        frame.put((byte) 64).put((byte) 1).putShort((short) 0).putInt(ADDRESS).putInt(KERNEL);
        frame.putShort(24, (short) checksum(frame.array(), 14, 20));
        frame.put((byte) 8).put((byte) 0).putShort((short) 0).putInt(0x1234_0001);
        for (int i = 0; i < dataOctets; i++) {
            frame.put((byte) i);
        }
        frame.putShort(36, (short) checksum(frame.array(), 34, 8 + dataOctets));
        return frame.array();
    }

    /** RFC 1071; zero over what carries a right one. */
    static int checksum(byte[] octets, int from, int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            int octet = octets[from + i] & 0xff;
            sum += i % 2 == 0 ? octet << 8 : octet;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        sum = (sum & 0xffff) + (sum >>> 16);
        return ~sum & 0xffff;
    }

    private void answerArp(byte[] frame) {
        ByteBuffer asked = ByteBuffer.wrap(frame);
        if (!isArpRequest(frame) || asked.getInt(38) != ADDRESS) {
            return;
        }
        ByteBuffer reply = ByteBuffer.allocate(42).put(frame, 6, 6);
        reply.putShort((short) (MAC >>> 32)).putInt((int) MAC).putShort((short) ARP);
        reply.putShort((short) 1)
                .putShort((short) IPV4)
                .putShort((short) 0x0604)
                .putShort((short) 2);
        reply.putShort((short) (MAC >>> 32)).putInt((int) MAC).putInt(ADDRESS).put(frame, 22, 10);
        link.transmit(List.of(reply.array()));
    }

    private void answerEcho(byte[] frame) {
        if (!isIcmp(frame, 8)) {
            return;
        }
        ByteBuffer reply = ByteBuffer.wrap(frame.clone());
        reply.put(0, frame, 6, 6).put(6, frame, 0, 6); // Back where it came from; the IP checksum stays right.
        reply.put(26, frame, 30, 4).put(30, frame, 26, 4);
        reply.put(34, (byte) 0).putShort(36, (short) 0);
        int total = reply.getShort(16) & 0xffff;
        reply.putShort(36, (short) checksum(reply.array(), 34, total - 20));
        link.transmit(List.of(reply.array()));
    }
}
