package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import io.iwcm.nic.bridge.Announcement;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.codec.CodecCounter;
import io.iwcm.nic.codec.CodecException;
import io.iwcm.nic.codec.PortableSerializer;
import io.iwcm.nic.codec.Protocol;
import io.iwcm.nic.spi.Owner;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every message there is, written and read, whole and damaged. The values are made from the types: new ones are in. */
class CrossingTest {

    private static final int SAMPLES = 20;
    private static final int DAMAGED = 3;

    private static ActorTestKit kit;
    private static PortableSerializer serializer;
    private static List<ActorRef<?>> actors;
    private static String version;

    @BeforeAll
    static void begin() {
        kit = ActorTestKit.create();
        serializer = PortableSerializer.of(kit.system());
        actors = List.of(
                kit.createTestProbe().ref(),
                kit.createTestProbe().ref(),
                kit.system().ignoreRef());
        version = Protocol.shared().fingerprint();
    }

    @AfterAll
    static void end() {
        kit.shutdownTestKit();
    }

    static List<Class<?>> types() {
        return Protocol.shared().types();
    }

    @ParameterizedTest
    @MethodSource("types")
    void comesOutAsItWentIn(Class<?> type) {
        for (int seed = 0; seed < SAMPLES; seed++) {
            Object message = sample(type, seed);

            Object read = serializer.fromBinary(serializer.toBinary(message), version);

            assertThat(Samples.same(message, read))
                    .as("seed %d: %s became %s", seed, message, read)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void isRefusedWhenItsEndIsMissing(Class<?> type) {
        for (int seed = 0; seed < DAMAGED; seed++) {
            byte[] whole = serializer.toBinary(sample(type, seed));
            for (int length = 0; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                assertThatExceptionOfType(CodecException.class).isThrownBy(() -> serializer.fromBinary(cut, version));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void isReadOrRefusedWhateverOctetIsWrong(Class<?> type) {
        Random random = new Random(1);
        long refused = 0;
        for (int seed = 0; seed < DAMAGED; seed++) {
            byte[] whole = serializer.toBinary(sample(type, seed));
            for (int at = 0; at < whole.length; at++) {
                byte[] wrong = whole.clone();
                wrong[at] ^= (byte) (1 + random.nextInt(255));
                try {
                    assertThat(serializer.fromBinary(wrong, version)).isNotNull();
                } catch (CodecException e) {
                    refused++;
                }
            }
        }
        assertThat(refused).as("at least its number can be wrong").isPositive();
    }

    @Test
    void junkCannotClaimMoreMemoryThanAMultipleOfItsSize() {
        for (byte[] junk : junk()) readJunk(junk); // The first time, Java itself makes a thing or two.

        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (byte[] junk : junk()) {
            long before = threads.getCurrentThreadAllocatedBytes();
            readJunk(junk);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(64 * 1024 + 64L * junk.length);
        }
    }

    /** Lists with as many things as can be claimed, and worse. */
    private static List<byte[]> junk() {
        byte[] head = serializer.toBinary(new Bridge.Delivered(new Owner(1), List.of()));
        Random random = new Random(2);
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            byte[] junk = new byte[head.length + 8 + random.nextInt(2_000)];
            random.nextBytes(junk);
            System.arraycopy(head, 0, junk, 0, head.length - 1);
            Arrays.fill(junk, head.length - 1, head.length + i % 8, (byte) 0xff);
            all.add(junk);
        }
        return all;
    }

    private static void readJunk(byte[] junk) {
        try {
            assertThat(serializer.fromBinary(junk, version)).isNotNull();
        } catch (CodecException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    @Test
    void refusesWhatAnotherVersionHasWritten() {
        byte[] octets = serializer.toBinary(new Bridge.Grant(new Owner(1), 2));
        long before = serializer.counts().get(CodecCounter.OTHER_VERSION);

        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> serializer.fromBinary(octets, "0011223344556677"))
                .withMessageContaining("0011223344556677")
                .withMessageContaining(version);
        assertThat(serializer.counts().get(CodecCounter.OTHER_VERSION)).isEqualTo(before + 1);
    }

    @Test
    void countsAndSaysWhatDoesNotCross() {
        long before = serializer.counts().get(CodecCounter.NOT_ENCODABLE);
        CmConsumer foreign = new CmConsumer() {
            @Override
            public Announcement<?> telling(CmNotice notice) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Optional<ActorRef<?>> actor() {
                return Optional.empty();
            }
        };

        assertThatExceptionOfType(CodecException.class)
                .isThrownBy(() -> serializer.toBinary(new RelayedConsumer.IsOver(foreign, connection())))
                .withMessageContaining("does not cross as CmConsumer");
        assertThat(serializer.counts().get(CodecCounter.NOT_ENCODABLE)).isEqualTo(before + 1);
    }

    @Test
    void isWrittenIntoABufferAsIntoAnArray() {
        Object message = sample(Bridge.Request.class, 3);
        ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);

        serializer.toBinary(message, buffer);
        buffer.flip();

        assertThat(Samples.same(message, serializer.fromBinary(buffer, version)))
                .isTrue();
        assertThat(buffer.hasRemaining()).isFalse();
    }

    /** Recorded so that growth is a decision. */
    @Test
    void aSynIsCompact() {
        assertThat(serializer.toBinary(Crossings.syns(1))).hasSizeLessThanOrEqualTo(56);
        assertThat(serializer.toBinary(Crossings.syns(64))).hasSizeLessThanOrEqualTo(64 * 53);
    }

    /** A third of it are the names of two actors, which a batch says once. */
    @Test
    void aStepWithItsCheckpointIsCompact() {
        try (BucketScene scene = new BucketScene()) {
            scene.serve().deliver(BucketScene.caught(BucketScene.PASSIVE, BucketScene.syn()));
            Bridge.Request step = new Bridge.Request(BucketScene.OWNER, scene.request());
            PortableSerializer codecs = PortableSerializer.of(scene.kit.system());

            assertThat(codecs.toBinary(step)).hasSizeLessThanOrEqualTo(240);
            assertThat(codecs.toBinary(new Bridge.Batch(Collections.nCopies(64, step))))
                    .hasSizeLessThanOrEqualTo(64 * 140);
        }
    }

    private static CmConnection connection() {
        return ((CmNotice.Moved) sample(CmNotice.Moved.class, 1)).connection();
    }

    private static Object sample(Class<?> type, long seed) {
        return new Samples(seed, actors).of(type);
    }
}
