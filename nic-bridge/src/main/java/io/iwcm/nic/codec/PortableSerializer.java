package io.iwcm.nic.codec;

import java.io.NotSerializableException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.ByteBufferSerializer;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/**
 * Brings {@link Protocol} to Pekko. The manifest is the fingerprint: what another version has written is refused before an
 * octet of it is looked at. Used by any thread; nothing is made before the first message crosses.
 */
public final class PortableSerializer extends SerializerWithStringManifest implements ByteBufferSerializer {

    /** Among the serializers of an actor system; those up to 40 are Pekko's. */
    public static final int IDENTIFIER = 5044;

    private static final int CAPACITY = 4096;

    /** A buffer that has grown beyond is not kept for the next message. */
    private static final int CAPACITY_KEPT_MAX = 1 << 20;

    private final ThreadLocal<Output> outputs = ThreadLocal.withInitial(this::output);
    private final LongAdder[] counts = new LongAdder[CodecCounter.values().length];
    private final ExtendedActorSystem system;

    public PortableSerializer(ExtendedActorSystem system) {
        this.system = system;
        Arrays.setAll(counts, _ -> new LongAdder());
    }

    /** The one of an actor system. */
    public static PortableSerializer of(ActorSystem<?> system) {
        try {
            return (PortableSerializer)
                    SerializationExtension.get(Adapter.toClassic(system)).serializerFor(Portable.class);
        } catch (NotSerializableException e) {
            throw new IllegalStateException("the settings bind no serializer to what crosses between members", e);
        }
    }

    /** All counts as they are now, in the enum's order; unmodifiable. */
    public Map<CodecCounter, Long> counts() {
        Map<CodecCounter, Long> values = new EnumMap<>(CodecCounter.class);
        for (CodecCounter counter : CodecCounter.values()) values.put(counter, counts[counter.ordinal()].sum());
        return Collections.unmodifiableMap(values);
    }

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object message) {
        return Protocol.shared().fingerprint();
    }

    @Override
    public byte[] toBinary(Object message) {
        return written(message).toBytes();
    }

    @Override
    public void toBinary(Object message, ByteBuffer buffer) {
        written(message).copyTo(buffer);
    }

    @Override
    public Object fromBinary(byte[] octets, String manifest) {
        return read(manifest, () -> octets);
    }

    @Override
    public Object fromBinary(ByteBuffer buffer, String manifest) {
        return read(manifest, () -> {
            byte[] octets = new byte[buffer.remaining()]; // The buffer is wanted back.
            buffer.get(octets);
            return octets;
        });
    }

    private Output written(Object message) {
        Output out = outputs.get();
        out.clear();
        try {
            Protocol.shared().write(message, out);
        } catch (CodecException e) {
            count(CodecCounter.NOT_ENCODABLE);
            throw e;
        } finally {
            if (out.array().length > CAPACITY_KEPT_MAX) outputs.remove();
        }
        count(CodecCounter.ENCODED);
        return out;
    }

    private Object read(String manifest, Supplier<byte[]> octets) {
        Protocol protocol = Protocol.shared();
        if (!manifest.equals(protocol.fingerprint())) {
            count(CodecCounter.OTHER_VERSION);
            throw new CodecException("the sender speaks version " + manifest + " and this member "
                    + protocol.fingerprint() + ": all members of a cluster must run the same release of iwcm");
        }
        try {
            Object message = protocol.read(new Input(Names.of(system), octets.get()));
            count(CodecCounter.DECODED);
            return message;
        } catch (CodecException e) {
            count(CodecCounter.MALFORMED);
            throw e;
        }
    }

    private void count(CodecCounter counter) {
        counts[counter.ordinal()].increment();
    }

    private Output output() {
        return new Output(Names.of(system), CAPACITY);
    }

    /** What the actors of a system are called outside it. The one that ignores is everybody's own and has no name. */
    private record Names(ActorRefResolver resolver, ActorRef<?> ignoring) implements ActorNames {

        static Names of(ExtendedActorSystem system) {
            ActorSystem<?> typed = Adapter.toTyped(system);
            return new Names(ActorRefResolver.get(typed), typed.ignoreRef());
        }

        @Override
        public String nameOf(ActorRef<?> actor) {
            return actor.equals(ignoring) ? "" : resolver.toSerializationFormat(actor);
        }

        @Override
        public ActorRef<?> named(String name) {
            return name.isEmpty() ? ignoring : resolver.resolveActorRef(name);
        }
    }
}
