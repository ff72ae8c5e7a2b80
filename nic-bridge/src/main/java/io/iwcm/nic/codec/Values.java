package io.iwcm.nic.codec;

import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.Ipv6Address;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Codecs of what everybody's messages are made of in the end. */
final class Values implements Vocabulary {

    private static final int NANOS_MAX = 999_999_999;
    private static final int MAC_HIGH_SHIFT = 32;

    @Override
    public void speak(Words words) {
        words.value(Boolean.class, "flag", of((value, out) -> out.flag(value), Input::flag))
                .value(Integer.class, "signed 32", of((value, out) -> out.signed(value), Input::signedInt))
                .value(Long.class, "signed 64", of((value, out) -> out.signed(value), Input::signed))
                .value(
                        Double.class,
                        "fixed 64",
                        of(
                                (value, out) -> out.fixed64(Double.doubleToRawLongBits(value)),
                                in -> Double.longBitsToDouble(in.fixed64())))
                .value(String.class, "text", of((value, out) -> out.text(value), Input::text))
                .value(byte[].class, "run", of((value, out) -> out.run(value), Input::run))
                .value(Duration.class, "seconds signed, nanos unsigned", of(Values::write, Values::duration))
                .value(Octets.class, "run", of((value, out) -> out.run(value), in -> Octets.wrap(in.run())))
                .value(
                        SeqNum.class,
                        "fixed 32",
                        of((value, out) -> out.fixed32(value.value()), in -> new SeqNum(in.fixed32())))
                .value(MacAddress.class, "48 bits", of(Values::write, Values::macAddress))
                .value(
                        Ipv4Address.class,
                        "fixed 32",
                        of((value, out) -> out.fixed32(value.bits()), in -> new Ipv4Address(in.fixed32())))
                .value(Ipv6Address.class, "fixed 64 twice", of(Values::write, Values::ipv6Address))
                .value(TcpFrame.class, FrameCodec.FORM, new FrameCodec());
    }

    private static void write(Duration value, Output out) {
        out.signed(value.getSeconds());
        out.unsigned(value.getNano());
    }

    private static Duration duration(Input in) {
        long seconds = in.signed();
        return Duration.ofSeconds(seconds, in.oneOf(NANOS_MAX + 1, "a second"));
    }

    private static void write(MacAddress value, Output out) {
        out.octet((int) (value.bits() >>> (MAC_HIGH_SHIFT + Byte.SIZE)));
        out.octet((int) (value.bits() >>> MAC_HIGH_SHIFT));
        out.fixed32((int) value.bits());
    }

    private static MacAddress macAddress(Input in) {
        long high = (long) in.octet() << Byte.SIZE | in.octet();
        return new MacAddress(high << MAC_HIGH_SHIFT | Integer.toUnsignedLong(in.fixed32()));
    }

    private static void write(Ipv6Address value, Output out) {
        out.fixed64(value.high());
        out.fixed64(value.low());
    }

    private static Ipv6Address ipv6Address(Input in) {
        long high = in.fixed64();
        return new Ipv6Address(high, in.fixed64());
    }

    private static <T> Codec<T> of(BiConsumer<T, Output> write, Function<Input, T> read) {
        return new Codec<>() {
            @Override
            public void write(T value, Output out) {
                write.accept(value, out);
            }

            @Override
            public T read(Input in) {
                return read.apply(in);
            }
        };
    }
}
