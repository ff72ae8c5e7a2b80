package io.iwcm.nic.link;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link to one guest, or to any program, over UDP or Unix datagrams, a frame in each, as QEMU's {@code -netdev dgram}
 * speaks. There is no connection: what is sent while nobody is there is lost, and who comes later is heard. Datagrams from
 * elsewhere than {@code remote} are dropped and counted.
 */
public final class QemuDatagramLink {

    private static final int BATCH = 32;
    private static final int BUFFER = 1 << 16;

    private QemuDatagramLink() {}

    /**
     * Makes the socket, which receives from now on.
     *
     * @throws LinkException when that is not possible
     */
    public static Link open(QemuDatagramOptions options) {
        Linux.Platform.require();
        return new DescriptorLink(arena -> {
            try {
                return Socket.open(options, arena);
            } catch (IOException e) {
                throw new LinkException(
                        "the QEMU link at " + options.local() + " cannot be opened: " + e.getMessage(), e);
            }
        });
    }

    private static final class Socket implements DescriptorLink.Device {

        private static final Logger LOG = LoggerFactory.getLogger(QemuDatagramLink.class);

        private final Tally tally = new Tally();
        private final EventTally events = new EventTally(LinkEvent.STRANGERS);
        private final SocketPlace local;
        private final MemorySegment remote;
        private final int mtu;
        private final int fd;
        private final Linux receiveCalls;
        private final Linux sendCalls;
        private final MessageBatch arriving;
        private final MessageBatch leaving;

        private Socket(SocketPlace local, MemorySegment remote, int mtu, int fd, Arena arena) {
            this.local = local;
            this.remote = remote;
            this.mtu = mtu;
            this.fd = fd;
            this.receiveCalls = new Linux(arena);
            this.sendCalls = new Linux(arena);
            this.arriving = new MessageBatch(arena, BATCH, BUFFER, SocketName.OCTETS_MAX, 0);
            this.leaving = new MessageBatch(arena, BATCH, mtu + FrameSize.HEADER + FrameSize.VLAN_TAG, 0, 0);
            leaving.addressTo(remote);
        }

        static Socket open(QemuDatagramOptions options, Arena arena) throws IOException {
            Linux calls = new Linux(arena);
            MemorySegment name = SocketName.of(options.local(), arena);
            MemorySegment remote = SocketName.of(options.remote(), arena);
            int family = SocketName.family(options.local().resolve());
            int fd = calls.socket(family, Linux.SOCK_DGRAM | Linux.O_NONBLOCK, 0);
            if (fd < 0) {
                throw new IOException(Linux.words(-fd));
            }
            try {
                int bound = calls.bind(fd, name);
                if (bound == -Linux.EADDRINUSE && options.local() instanceof SocketPlace.Unix(Path path)) {
                    removeIfLeftOver(calls, path, name);
                    bound = calls.bind(fd, name);
                }
                if (bound < 0) {
                    throw new IOException(Linux.words(-bound));
                }
                return new Socket(bound(calls, fd, options.local(), arena), remote, options.mtu(), fd, arena);
            } catch (IOException e) {
                calls.close(fd);
                throw e;
            }
        }

        /** A socket that nobody has open any more: who made it was killed. Everything else is not ours to delete. */
        private static void removeIfLeftOver(Linux calls, Path path, MemorySegment name) throws IOException {
            if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther()) {
                return;
            }
            int probe = calls.socket(Linux.AF_UNIX, Linux.SOCK_DGRAM, 0);
            if (probe >= 0 && calls.connect(probe, name) == -Linux.ECONNREFUSED) {
                Files.delete(path);
            }
            calls.close(probe);
        }

        private static SocketPlace bound(Linux calls, int fd, SocketPlace asked, Arena arena) {
            if (!(asked instanceof SocketPlace.Inet(String host, int _))) {
                return asked;
            }
            MemorySegment name = arena.allocate(SocketName.OCTETS_MAX, 4);
            MemorySegment length = arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_INT, SocketName.OCTETS_MAX);
            return calls.socketName(fd, name, length) < 0 ? asked : new SocketPlace.Inet(host, SocketName.port(name));
        }

        @Override
        public String name() {
            return "qemu-dgram:" + local;
        }

        @Override
        public int mtu() {
            return mtu;
        }

        @Override
        public Tally tally() {
            return tally;
        }

        @Override
        public int fd() {
            return fd;
        }

        @Override
        public int receive(List<byte[]> batch) {
            arriving.offerRoom();
            int count = receiveCalls.receiveMessages(fd, arriving.headers(0), BATCH);
            for (int slot = 0; slot < count; slot++) {
                if (!SocketName.isSame(arriving.writtenName(slot), remote)) {
                    events.count(LinkEvent.STRANGERS);
                    continue;
                }
                byte[] frame = arriving.datagram(slot);
                if (!arriving.isCutShort(slot) && FrameSize.fits(frame, mtu)) {
                    batch.add(frame);
                } else {
                    tally.receiveDropped(1);
                }
            }
            return count;
        }

        @Override
        public int send(List<byte[]> frames) {
            int sent = 0;
            for (int from = 0; from < frames.size(); from += BATCH) {
                List<byte[]> some = frames.subList(from, Math.min(from + BATCH, frames.size()));
                for (int slot = 0; slot < some.size(); slot++) {
                    leaving.put(slot, some.get(slot));
                }
                // Nobody there, or no room with the peer: lost, as on a cable.
                sent += Math.max(0, sendCalls.sendMessages(fd, leaving.headers(0), some.size()));
            }
            return sent;
        }

        @Override
        public boolean look(int errno) {
            if (errno != 0) {
                LOG.warn("the QEMU link at {} could not receive and goes on: {}", local, Linux.words(errno));
            }
            return true;
        }

        @Override
        public Map<LinkEvent, Long> events() {
            return events.snapshot();
        }

        @Override
        public void close() {
            sendCalls.close(fd);
            if (local instanceof SocketPlace.Unix(Path path)) {
                try {
                    Files.deleteIfExists(path);
                } catch (IOException e) {
                    LOG.warn("the socket at {} was not taken away: {}", local, e.getMessage());
                }
            }
        }
    }
}
