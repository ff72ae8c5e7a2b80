package io.iwcm.nic.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * Frames over a byte stream to one peer, each behind its length: four octets, big-endian, as QEMU's stream and socket
 * netdevs write them. Never blocks. One thread reads; writers take turns.
 */
final class FrameStream {

    /** QEMU's own limit for a frame (NET_BUFSIZE, 4096 + 65536); a longer one can only be a stream out of step. */
    static final int FRAME_MAX = 69_632;

    static final int LENGTH = 4;

    /** What is written waits here for a slow peer; what does not fit is dropped. */
    static final int SEND_BUFFER = 1 << 20;

    private static final int RECEIVE_BUFFER = 4 * FRAME_MAX;

    private final SocketChannel channel;
    private final ByteBuffer in;
    private final ByteBuffer out;

    FrameStream(SocketChannel channel, Buffers buffers) {
        this.channel = channel;
        this.in = buffers.in().clear();
        this.out = buffers.out().clear();
    }

    /** Outlive the peers, which use them one after another. */
    record Buffers(ByteBuffer in, ByteBuffer out) {
        static Buffers allocate() {
            return new Buffers(ByteBuffer.allocateDirect(RECEIVE_BUFFER), ByteBuffer.allocateDirect(SEND_BUFFER));
        }
    }

    /** How a read ended. */
    enum Reading {
        /** All that is there, or as much as fits, was read. */
        READ,
        /** The peer has ended the stream. */
        ENDED,
        /** The next frame's length cannot be one: nothing after it can be understood. */
        WRONG_LENGTH
    }

    SocketChannel channel() {
        return channel;
    }

    /** Adds the frames that are complete by now. */
    Reading read(List<byte[]> frames) throws IOException {
        int count = channel.read(in);
        in.flip();
        boolean understood = takeFrames(frames);
        in.compact();
        return !understood ? Reading.WRONG_LENGTH : count < 0 ? Reading.ENDED : Reading.READ;
    }

    private boolean takeFrames(List<byte[]> frames) {
        while (in.remaining() >= LENGTH) {
            int length = in.getInt(in.position());
            if (length <= 0 || length > FRAME_MAX) {
                return false;
            }
            if (in.remaining() - LENGTH < length) {
                return true; // The buffer holds the longest frame: there is room for the rest.
            }
            byte[] frame = new byte[length];
            in.position(in.position() + LENGTH);
            in.get(frame);
            frames.add(frame);
        }
        return true;
    }

    /** Takes a frame for {@link #flush}; false when there is no room. */
    boolean add(byte[] frame) {
        if (out.remaining() < LENGTH + frame.length) {
            return false;
        }
        out.putInt(frame.length).put(frame);
        return true;
    }

    /** Writes what the peer takes; true when nothing is left. */
    boolean flush() throws IOException {
        out.flip();
        try {
            int written = out.remaining();
            while (out.hasRemaining() && written > 0) {
                written = channel.write(out);
            }
            return !out.hasRemaining();
        } finally {
            out.compact();
        }
    }
}
