package io.iwcm.cm.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.codec.PortableSerializer;
import io.iwcm.nic.codec.Protocol;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import org.junit.jupiter.api.Test;

/** Everything that is told from member to member has a codec, and Pekko knows which. */
class VocabularyTest {

    /** When this fails, it says which type has no codec and how it is reached: give it one in a vocabulary. */
    @Test
    void everyTypeThatCanBeReachedFromAMessageHasACodec() {
        assertThat(Protocol.shared().types()).isNotEmpty();
    }

    @Test
    void everyMessageIsWrittenByOurSerializer() throws Exception {
        ActorTestKit kit = ActorTestKit.create();
        try {
            Serialization serialization = SerializationExtension.get(Adapter.toClassic(kit.system()));
            for (Class<?> type : Protocol.shared().types()) {
                assertThat(serialization.serializerFor(type)).as(type.getName()).isInstanceOf(PortableSerializer.class);
            }
        } finally {
            kit.shutdownTestKit();
        }
    }

    @Test
    void javaSerializationIsOff() {
        ActorTestKit kit = ActorTestKit.create();
        try {
            assertThat(kit.system().settings().config().getBoolean("pekko.actor.allow-java-serialization"))
                    .isFalse();
        } finally {
            kit.shutdownTestKit();
        }
    }
}
