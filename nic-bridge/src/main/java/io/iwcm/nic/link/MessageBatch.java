package io.iwcm.nic.link;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An array of {@code struct mmsghdr}, each with one buffer, for one call that moves many datagrams. Layouts are those of
 * 64-bit Linux. For one thread at a time.
 */
final class MessageBatch {

    private static final int HEADER = 64; // struct msghdr of 56 octets, the length, padding.
    private static final int NAME = 0;
    private static final int NAME_LENGTH = 8;
    private static final int VECTOR = 16;
    private static final int VECTOR_COUNT = 24;
    private static final int CONTROL = 32;
    private static final int CONTROL_LENGTH = 40;
    private static final int FLAGS = 48;
    private static final int LENGTH = 56;
    private static final int IOVEC = 16;
    private static final int MSG_TRUNC = 0x20;

    private final int slots;
    private final int bufferOctets;
    private final int nameOctets;
    private final int controlOctets;
    private final MemorySegment headers;
    private final MemorySegment vectors;
    private final MemorySegment names;
    private final MemorySegment controls;
    private final MemorySegment buffers;

    MessageBatch(Arena arena, int slots, int bufferOctets, int nameOctets, int controlOctets) {
        this.slots = slots;
        this.bufferOctets = bufferOctets;
        this.nameOctets = nameOctets;
        this.controlOctets = controlOctets;
        headers = arena.allocate((long) slots * HEADER, 8);
        vectors = arena.allocate((long) slots * IOVEC, 8);
        names = arena.allocate((long) slots * nameOctets + 1, 8);
        controls = arena.allocate((long) slots * controlOctets + 1, 8);
        buffers = arena.allocate((long) slots * bufferOctets, 8);
        for (int slot = 0; slot < slots; slot++) {
            vectors.set(ADDRESS, (long) slot * IOVEC, buffer(slot));
            headers.set(ADDRESS, at(slot, VECTOR), vectors.asSlice((long) slot * IOVEC));
            headers.set(JAVA_LONG, at(slot, VECTOR_COUNT), 1);
        }
    }

    int slots() {
        return slots;
    }

    /** From this slot on. */
    MemorySegment headers(int fromSlot) {
        return headers.asSlice(at(fromSlot, 0));
    }

    /** The room that every slot has, before each call: the kernel writes the lengths over. */
    void offerRoom() {
        for (int slot = 0; slot < slots; slot++) {
            if (nameOctets > 0) {
                headers.set(ADDRESS, at(slot, NAME), name(slot));
                headers.set(JAVA_INT, at(slot, NAME_LENGTH), nameOctets);
            }
            if (controlOctets > 0) {
                headers.set(ADDRESS, at(slot, CONTROL), controls.asSlice((long) slot * controlOctets, controlOctets));
                headers.set(JAVA_LONG, at(slot, CONTROL_LENGTH), controlOctets);
            }
            vectors.set(JAVA_LONG, (long) slot * IOVEC + 8, bufferOctets);
        }
    }

    /** Sends every slot to one address. */
    void addressTo(MemorySegment address) {
        for (int slot = 0; slot < slots; slot++) {
            headers.set(ADDRESS, at(slot, NAME), address);
            headers.set(JAVA_INT, at(slot, NAME_LENGTH), (int) address.byteSize());
        }
    }

    void put(int slot, byte[] datagram) {
        MemorySegment.copy(datagram, 0, buffers, JAVA_BYTE, (long) slot * bufferOctets, datagram.length);
        vectors.set(JAVA_LONG, (long) slot * IOVEC + 8, datagram.length);
    }

    /** A copy of what arrived. */
    byte[] datagram(int slot) {
        return buffer(slot).asSlice(0, headers.get(JAVA_INT, at(slot, LENGTH))).toArray(JAVA_BYTE);
    }

    /** Whether it was longer than the buffer. */
    boolean isCutShort(int slot) {
        return (headers.get(JAVA_INT, at(slot, FLAGS)) & MSG_TRUNC) != 0;
    }

    /** Room for the address of who sent it. */
    MemorySegment name(int slot) {
        return names.asSlice((long) slot * nameOctets, nameOctets);
    }

    /** As much as the kernel wrote there. */
    MemorySegment writtenName(int slot) {
        return name(slot).asSlice(0, Math.min(nameOctets, headers.get(JAVA_INT, at(slot, NAME_LENGTH))));
    }

    /** What the kernel tells beside the octets. */
    MemorySegment control(int slot) {
        return controls.asSlice((long) slot * controlOctets, headers.get(JAVA_LONG, at(slot, CONTROL_LENGTH)));
    }

    private MemorySegment buffer(int slot) {
        return buffers.asSlice((long) slot * bufferOctets, bufferOctets);
    }

    private static long at(int slot, int offset) {
        return (long) slot * HEADER + offset;
    }
}
