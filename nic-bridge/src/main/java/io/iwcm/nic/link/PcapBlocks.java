package io.iwcm.nic.link;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The blocks of a pcapng file (draft-ietf-opsawg-pcapng): sections, interfaces, enhanced and simple packets. Other blocks
 * are skipped by their length.
 */
final class PcapBlocks implements PcapReader.Format {

    private static final int SECTION = 0x0a0d0d0a;
    private static final int INTERFACE = 1;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;
    private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
    private static final int FRAMING = 12; // Type and length before the body, the length again after it.
    private static final int OPTION_END = 0;
    private static final int OPTION_RESOLUTION = 9;
    private static final int INTERFACES_MAX = 65_536;

    private final PcapReader.Input input;
    private final List<Interface> interfaces = new ArrayList<>();
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;

    /** The file's first block type was read and is {@link #SECTION}. */
    PcapBlocks(PcapReader.Input input) {
        this.input = input;
        beginSection();
    }

    private record Interface(int linkType, int snapLength, Ticks ticks) {}

    /** Units of an interface's time stamps: a power of ten or of two per second. */
    private record Ticks(boolean binary, int exponent) {
        static final Ticks MICROSECONDS = new Ticks(false, 6);

        long toNs(long ticks) {
            if (binary) {
                long wholeSeconds = ticks >>> exponent;
                double fraction = (double) (ticks - (wholeSeconds << exponent)) / (1L << exponent);
                return wholeSeconds * 1_000_000_000L + (long) (fraction * 1e9);
            }
            long ns = ticks;
            for (int power = exponent; power < 9; power++) {
                ns *= 10;
            }
            for (int power = exponent; power > 9; power--) {
                ns = Long.divideUnsigned(ns, 10);
            }
            return ns;
        }
    }

    @Override
    public Optional<PcapFrame> next() {
        // Each round consumes a block of at least twelve octets.
        for (var type = input.next(4, "a block type"); type.isPresent(); type = input.next(4, "a block type")) {
            Optional<PcapFrame> frame = block(type.get().order(order).getInt(0));
            if (frame.isPresent()) {
                return frame;
            }
        }
        return Optional.empty();
    }

    private Optional<PcapFrame> block(int type) {
        if (type == SECTION) {
            beginSection();
            return Optional.empty();
        }
        ByteBuffer body = body(input.need(4, "a block length").order(order).getInt(0), 0);
        return switch (type) {
            case INTERFACE -> {
                addInterface(body);
                yield Optional.empty();
            }
            case ENHANCED_PACKET -> Optional.of(enhanced(body));
            case SIMPLE_PACKET -> Optional.of(simple(body));
            default -> Optional.empty();
        };
    }

    private void beginSection() {
        ByteBuffer start = input.need(8, "a section header");
        order = start.order(ByteOrder.BIG_ENDIAN).getInt(4) == BYTE_ORDER_MAGIC
                ? ByteOrder.BIG_ENDIAN
                : ByteOrder.LITTLE_ENDIAN;
        start.order(order);
        if (start.getInt(4) != BYTE_ORDER_MAGIC) {
            throw input.malformed("a section header has no byte-order magic");
        }
        ByteBuffer body = body(start.getInt(0), 4);
        require(body, 12, "a section header");
        int major = body.getShort(0) & 0xffff;
        if (major != 1) {
            throw input.malformed("a section's version is " + major + ", and only 1 is known");
        }
        interfaces.clear();
    }

    /** The rest of a block's body, when {@code consumed} octets of it were read; checks the length after it. */
    private ByteBuffer body(int blockLength, int consumed) {
        int length = input.checkedLength(blockLength, "a block");
        if (length < FRAMING + consumed || length % 4 != 0) {
            throw input.malformed("a block claims " + length + " octets, and a multiple of 4 from 12 on is allowed");
        }
        ByteBuffer body = input.need(length - FRAMING - consumed, "a block").order(order);
        if (input.need(4, "a block's second length").order(order).getInt(0) != length) {
            throw input.malformed("a block's two lengths differ");
        }
        return body;
    }

    private void addInterface(ByteBuffer body) {
        require(body, 8, "an interface block");
        if (interfaces.size() == INTERFACES_MAX) {
            throw input.malformed("a section has more than " + INTERFACES_MAX + " interfaces");
        }
        interfaces.add(new Interface(body.getShort(0) & 0xffff, body.getInt(4), ticks(body)));
    }

    private Ticks ticks(ByteBuffer body) {
        for (int at = 8; at + 4 <= body.limit(); ) {
            int code = body.getShort(at) & 0xffff;
            int length = body.getShort(at + 2) & 0xffff;
            at += 4;
            if (code == OPTION_END) {
                break;
            }
            if (length > body.limit() - at) {
                throw input.malformed("an interface option reaches past its block");
            }
            if (code == OPTION_RESOLUTION && length >= 1) {
                return resolution(body.get(at));
            }
            at += (length + 3) / 4 * 4;
        }
        return Ticks.MICROSECONDS;
    }

    private Ticks resolution(byte value) {
        Ticks ticks = new Ticks(value < 0, value & 0x7f);
        if (ticks.exponent() > (ticks.binary() ? 62 : 18)) {
            throw input.malformed("an interface's time resolution is finer than anything");
        }
        return ticks;
    }

    private PcapFrame enhanced(ByteBuffer body) {
        require(body, 20, "an enhanced packet");
        Interface from = interfaceAt(body.getInt(0));
        long ticks = (long) body.getInt(4) << 32 | (body.getInt(8) & 0xffff_ffffL);
        int kept = input.checkedLength(body.getInt(12), "a packet");
        int length = input.checkedLength(body.getInt(16), "a frame");
        if (kept > body.limit() - 20 || kept > length) {
            throw input.malformed("a packet claims " + kept + " octets, more than its block or its frame has");
        }
        return new PcapFrame(from.ticks().toNs(ticks), from.linkType(), octets(body, 20, kept), length);
    }

    private PcapFrame simple(ByteBuffer body) {
        require(body, 4, "a simple packet");
        Interface from = interfaceAt(0);
        int length = input.checkedLength(body.getInt(0), "a frame");
        int kept = from.snapLength() == 0 || Integer.compareUnsigned(length, from.snapLength()) <= 0
                ? length
                : from.snapLength();
        if (kept > body.limit() - 4) {
            throw input.malformed("a simple packet claims " + kept + " octets, more than its block has");
        }
        return new PcapFrame(0, from.linkType(), octets(body, 4, kept), length);
    }

    private Interface interfaceAt(int index) {
        if (Integer.compareUnsigned(index, interfaces.size()) >= 0) {
            throw input.malformed(
                    "a packet names interface " + Integer.toUnsignedString(index) + " of " + interfaces.size());
        }
        return interfaces.get(index);
    }

    private void require(ByteBuffer body, int octets, String what) {
        if (body.limit() < octets) {
            throw input.malformed(what + " has " + body.limit() + " octets, and needs " + octets);
        }
    }

    private static byte[] octets(ByteBuffer body, int at, int count) {
        byte[] octets = new byte[count];
        body.get(at, octets);
        return octets;
    }
}
