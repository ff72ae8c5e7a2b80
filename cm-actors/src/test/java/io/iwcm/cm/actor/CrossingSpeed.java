package io.iwcm.cm.actor;

import com.sun.management.OperatingSystemMXBean;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.codec.PortableSerializer;
import io.iwcm.nic.codec.Protocol;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * What it costs to bring SYNs to a dispatcher on another member: frames per second through the codec alone, over a real
 * connection on loopback, and to an actor of the same system. A program, not a test: prints one line each.
 */
public final class CrossingSpeed {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private static final int BATCH = 64;
    private static final int ROUNDS = 5;
    private static final int BATCHES = 20_000;
    private static final int UNDER_WAY_MAX = 512;

    private CrossingSpeed() {}

    public static void main(String[] args) throws InterruptedException {
        Config config = ConfigFactory.parseString("""
            pekko.actor.provider = cluster
            pekko.remote.artery.canonical { hostname = 127.0.0.1, port = 0 }
            pekko.coordinated-shutdown.exit-jvm = off
            """)
                .withFallback(ConfigFactory.load())
                .resolve();
        Semaphore room = new Semaphore(UNDER_WAY_MAX);
        ActorSystem<Object> there = ActorSystem.create(taking(room), "members", config);
        ActorSystem<Object> here = ActorSystem.create(taking(room), "members", config);
        ActorRef<Object> remote = ActorRefResolver.get(here)
                .resolveActorRef(ActorRefResolver.get(there).toSerializationFormat(there));
        Bridge.Delivered batch = Crossings.syns(BATCH);
        for (int i = 0; i < ROUNDS; i++) {
            codec(PortableSerializer.of(here), batch);
            told("another member", remote, room, batch);
            told("the same system", here, room, batch);
        }
        here.terminate();
        there.terminate();
    }

    private static Behavior<Object> taking(Semaphore room) {
        return Behaviors.receiveMessage(_ -> {
            room.release();
            return Behaviors.same();
        });
    }

    private static void codec(PortableSerializer serializer, Bridge.Delivered batch) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
        String version = Protocol.shared().fingerprint();
        byte[] octets = serializer.toBinary(batch);
        long began = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < BATCHES; i++) serializer.toBinary(batch, buffer.clear());
        long written = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < BATCHES; i++) {
            buffer.position(0).limit(octets.length);
            serializer.fromBinary(buffer, version);
        }
        long read = THREADS.getCurrentThreadCpuTime();
        System.out.printf(
                "codec, per second of CPU: %,d frames written, %,d frames read; %d octets a frame%n",
                perSecond(written - began), perSecond(read - written), octets.length / BATCH);
    }

    private static void told(String whom, ActorRef<Object> to, Semaphore room, Bridge.Delivered batch)
            throws InterruptedException {
        long cpu = SYSTEM.getProcessCpuTime();
        long began = System.nanoTime();
        for (int i = 0; i < BATCHES; i++) {
            room.acquire();
            to.tell(batch);
        }
        if (!room.tryAcquire(UNDER_WAY_MAX, 1, TimeUnit.MINUTES)) throw new IllegalStateException("batches are lost");
        long ns = System.nanoTime() - began;
        room.release(UNDER_WAY_MAX);
        System.out.printf(
                "told to %s: %,d frames/s, %,d frames per second of CPU%n",
                whom, perSecond(ns), perSecond(SYSTEM.getProcessCpuTime() - cpu));
    }

    private static long perSecond(long ns) {
        return (long) BATCHES * BATCH * 1_000_000_000L / Math.max(1, ns);
    }
}
