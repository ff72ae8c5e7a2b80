package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.nic.codec.CodecCounter;
import io.iwcm.nic.codec.PortableSerializer;
import io.iwcm.nic.codec.Protocol;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two actor systems and a real connection between them. */
class ArteryTest {

    private static final Config CONFIG = ConfigFactory.parseString("""
        pekko.actor.provider = cluster
        pekko.remote.artery.canonical { hostname = 127.0.0.1, port = 0 }
        pekko.remote.artery.bind { hostname = 127.0.0.1, port = 0 }
        pekko.coordinated-shutdown.exit-jvm = off
            pekko.cluster.jmx.multi-mbeans-in-same-jvm = on
        """).withFallback(ConfigFactory.load());

    private final ActorTestKit here = ActorTestKit.create("members", CONFIG);
    private final ActorTestKit there = ActorTestKit.create("members", CONFIG);

    @AfterEach
    void end() {
        here.shutdownTestKit();
        there.shutdownTestKit();
    }

    /** Java's serialisation is off, so what comes back has been written and read by our own codecs, twice. */
    @Test
    void bringsEveryMessageThereAndBack() {
        TestProbe<Object> probe = here.createTestProbe(Object.class);
        List<ActorRef<?>> actors = List.of(probe.ref(), here.system().ignoreRef());
        ActorRef<Object> onTheWay = seenFromHere(there.spawn(Behaviors.receiveMessage(message -> {
            seenFromThere(probe.ref()).tell(message);
            return Behaviors.same();
        })));

        List<Class<?>> types = Protocol.shared().types();
        for (Class<?> type : types) {
            Object message = new Samples(1, actors).of(type);
            onTheWay.tell(message);
            Object back = probe.receiveMessage(Duration.ofSeconds(60));
            assertThat(Samples.same(message, back))
                    .as("%s became %s", message, back)
                    .isTrue();
        }

        Map<CodecCounter, Long> counts = PortableSerializer.of(there.system()).counts();
        assertThat(counts.get(CodecCounter.DECODED)).isEqualTo(types.size());
        assertThat(counts.get(CodecCounter.ENCODED)).isEqualTo(types.size());
        assertThat(counts.get(CodecCounter.MALFORMED)).isZero();
    }

    private ActorRef<Object> seenFromHere(ActorRef<Object> actor) {
        return ActorRefResolver.get(here.system())
                .resolveActorRef(ActorRefResolver.get(there.system()).toSerializationFormat(actor));
    }

    private ActorRef<Object> seenFromThere(ActorRef<Object> actor) {
        return ActorRefResolver.get(there.system())
                .resolveActorRef(ActorRefResolver.get(here.system()).toSerializationFormat(actor));
    }
}
