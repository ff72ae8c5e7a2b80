package io.iwcm.nic.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link on a network interface of this machine, real or virtual, by a raw packet socket: a host of our own beside the
 * kernel's. Receives what is for our MAC address or a group and comes from outside; the kernel keeps receiving its own.
 *
 * <p>What the kernel took out of a frame is put back: the VLAN tag, and the checksum that the sender, on this machine, left
 * to a card. TCP segments that were merged beyond the MTU are cut again. An interface that goes down is noticed and waited
 * for; one that is deleted ends reception.
 */
public final class PacketLink {

    private PacketLink() {}

    /**
     * Attaches to the interface, which must be there; it may be down.
     *
     * @throws LinkException when that is not possible
     */
    public static Link open(PacketOptions options) {
        Linux.Platform.require();
        return new DescriptorLink(arena -> new Device(options, PacketSocket.open(options, arena), arena));
    }

    private static final class Device implements DescriptorLink.Device {

        private static final Logger LOG = LoggerFactory.getLogger(PacketLink.class);
        private static final int BATCH = 32;
        private static final int RECEIVE_BUFFER = 1 << 16 | 1 << 7; // What a sender that segments later may hand over.
        private static final int ADDRESS = 20; // struct sockaddr_ll
        private static final int PACKET_TYPE = 10;
        private static final int OUTGOING = 4;

        private final Tally tally = new Tally();
        private final EventTally events = new EventTally(
                LinkEvent.DOWNS, LinkEvent.UPS, LinkEvent.TAGS_RESTORED, LinkEvent.CHECKSUMS_FINISHED, LinkEvent.CUTS);
        private final PacketOptions options;
        private final PacketSocket socket;
        private final int mtu;
        private final Linux receiveCalls;
        private final Linux sendCalls;
        private final MessageBatch arriving;
        private final MessageBatch leaving;
        private boolean up; // The reader's.

        Device(PacketOptions options, PacketSocket socket, Arena arena) {
            this.options = options;
            this.socket = socket;
            this.mtu = socket.mtu();
            this.receiveCalls = new Linux(arena);
            this.sendCalls = new Linux(arena);
            this.arriving = new MessageBatch(arena, BATCH, RECEIVE_BUFFER, ADDRESS, PacketAuxiliary.ROOM);
            this.leaving = new MessageBatch(arena, BATCH, mtu + FrameSize.HEADER + FrameSize.VLAN_TAG, 0, 0);
            this.up = socket.isUp();
            if (!up) {
                LOG.warn("the network interface {} is down: nothing passes until it is set up", options.name());
            }
        }

        @Override
        public String name() {
            return "packet:" + options.name();
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
            return socket.fd();
        }

        @Override
        public int receive(List<byte[]> batch) {
            arriving.offerRoom();
            int count = receiveCalls.receiveMessages(socket.fd(), arriving.headers(0), BATCH);
            for (int slot = 0; slot < count; slot++) {
                if (isOutgoing(arriving.writtenName(slot))) {
                    continue; // A kernel before 4.20 shows us our own.
                }
                if (arriving.isCutShort(slot)) {
                    tally.receiveDropped(1);
                } else {
                    add(arriving.datagram(slot), PacketAuxiliary.of(arriving.control(slot)), batch);
                }
            }
            return count;
        }

        private static boolean isOutgoing(MemorySegment address) {
            return address.byteSize() > PACKET_TYPE && address.get(ValueLayout.JAVA_BYTE, PACKET_TYPE) == OUTGOING;
        }

        private void add(byte[] received, PacketAuxiliary auxiliary, List<byte[]> batch) {
            byte[] frame = received;
            if (auxiliary.isTagged() && frame.length >= FrameSize.HEADER) {
                frame = auxiliary.tagged(frame);
                events.count(LinkEvent.TAGS_RESTORED);
            }
            List<byte[]> whole = List.of(frame);
            boolean large = !FrameSize.fits(frame, mtu);
            if (large || auxiliary.isChecksumMissing()) {
                whole = OffloadFinisher.finished(frame, mtu);
                events.count(large ? LinkEvent.CUTS : LinkEvent.CHECKSUMS_FINISHED);
            }
            for (byte[] each : whole) {
                if (FrameSize.fits(each, mtu)) {
                    batch.add(each);
                } else {
                    tally.receiveDropped(1);
                }
            }
        }

        @Override
        public int send(List<byte[]> frames) {
            int sent = 0;
            for (int from = 0; from < frames.size(); from += BATCH) {
                List<byte[]> some = frames.subList(from, Math.min(from + BATCH, frames.size()));
                for (int slot = 0; slot < some.size(); slot++) {
                    leaving.put(slot, some.get(slot));
                }
                // A full queue or an interface that is down loses the rest, as a cable does.
                sent += Math.max(0, sendCalls.sendMessages(socket.fd(), leaving.headers(0), some.size()));
            }
            return sent;
        }

        @Override
        public boolean look(int errno) {
            if (errno != 0 && errno != Linux.ENETDOWN) {
                LOG.warn("{} could not be received from and goes on: {}", options.name(), Linux.words(errno));
            }
            tally.receiveDropped(socket.overflows(receiveCalls));
            PacketSocket.State now = socket.state(receiveCalls);
            // That it went down and came back between two looks, only the error tells.
            if (up && (errno == Linux.ENETDOWN || now != PacketSocket.State.UP)) {
                up = false;
                events.count(LinkEvent.DOWNS);
                LOG.warn("the network interface {} has gone down", options.name());
            }
            if (!up && now == PacketSocket.State.UP) {
                up = true;
                events.count(LinkEvent.UPS);
                LOG.info("the network interface {} is up again", options.name());
            }
            return now != PacketSocket.State.GONE;
        }

        @Override
        public Map<LinkEvent, Long> events() {
            return events.snapshot();
        }

        @Override
        public void close() {
            sendCalls.close(socket.fd());
        }
    }
}
