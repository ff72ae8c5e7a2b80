package io.iwcm.cm.examples;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.ops.Launcher;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.link.MemoryWire;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.memory.Access;
import io.iwcm.nic.memory.MemoryRegion;
import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.memory.Slices;
import io.iwcm.nic.verbs.Completion;
import io.iwcm.nic.verbs.CompletionQueue;
import io.iwcm.nic.verbs.PostResult;
import io.iwcm.nic.verbs.QpOptions;
import io.iwcm.nic.verbs.RdmaQueuePair;
import io.iwcm.nic.verbs.RemoteBuffer;
import io.iwcm.nic.verbs.WorkRequest;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Octets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** One end writes into memory of the other, then says so: RDMA Write and Send on one wire in memory. No arguments. */
public final class RemoteMemory {

    private static final Endpoint TARGET = new Endpoint(IpAddress.parse("10.9.0.1"), 4420);

    /** A queue pair, where its completions come, and memory that its peer may write to. */
    private record End(RdmaQueuePair pair, CompletionQueue done, MemoryRegion memory) {

        static End make(ConnectionManager manager) {
            ProtectionDomain domain = new ProtectionDomain("example");
            CompletionQueue done = new CompletionQueue(8);
            RdmaQueuePair pair = join(manager.createQueuePair(QpOptions.of(domain, done, 4, 4)));
            MemorySegment octets = MemorySegment.ofArray(new byte[64]);
            return new End(pair, done, join(manager.verbs().register(domain, octets, Access.REMOTE_WRITE)));
        }

        void post(WorkRequest work) {
            PostResult result = pair.post(work); // Never waits: a full queue is a result.
            if (result != PostResult.POSTED) throw new IllegalStateException(result.phrase());
        }

        /** The completion of a request; everything posted gets one, also when the connection ends. */
        Completion await(long id) throws InterruptedException {
            while (true) {
                Completion next = done.await(Duration.ofSeconds(10)).orElseThrow();
                if (!next.good()) throw new IllegalStateException(next.status().phrase());
                if (next.id() == id) return next;
            }
        }
    }

    private RemoteMemory() {}

    /** Runs it once. */
    public static void main(String[] args) throws InterruptedException {
        run(System.out::println);
    }

    static void run(Consumer<String> say) throws InterruptedException {
        try (MemoryWire wire = MemoryWire.live("wire", WireOptions.PLAIN);
                ConnectionManager one =
                        Launcher.start("target", addressed("10.9.0.1/24"), wire.attach("target", 1500));
                ConnectionManager two =
                        Launcher.start("initiator", addressed("10.9.0.2/24"), wire.attach("initiator", 1500))) {
            End target = End.make(one);
            target.post(new WorkRequest.Receive(1, Slices.of(target.memory(), 0, 8))); // Before the peer can send.
            join(one.listen(ListenOptions.on(TARGET), (connection, event) -> {
                if (event instanceof CmEvent.ConnectRequest) {
                    connection.accept(AcceptOptions.DEFAULT
                            .queuePair(target.pair().id())
                            .privateData(named(target.memory()))); // How the peer learns what it may write to.
                }
            }));
            initiate(two);
            long written = target.await(1).length();
            say.accept("target: told of " + text(target.memory(), 8, 5) + " by a message of " + written + " octets");
        }
    }

    private static void initiate(ConnectionManager manager) throws InterruptedException {
        End end = End.make(manager);
        ConnectOptions options = ConnectOptions.to(TARGET).queuePair(end.pair().id());
        var reply = new java.util.concurrent.CompletableFuture<Octets>();
        Connection connection = join(manager.connect(options, (_, event) -> {
                    if (event instanceof CmEvent.ConnectReply said) reply.complete(said.privateData());
                }))
                .orElseThrow();
        ByteBuffer named = ByteBuffer.wrap(join(reply).toBytes());
        RemoteBuffer theirs = new RemoteBuffer(named.getInt(), named.getLong() + 8);

        byte[] hello = "hello".getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(hello, 0, end.memory().memory(), ValueLayout.JAVA_BYTE, 0, hello.length);
        end.post(new WorkRequest.Write(1, Slices.of(end.memory(), 0, hello.length), theirs));
        end.post(new WorkRequest.Send(2, Slices.of(end.memory(), 0, 2))); // Arrives when the Write is placed.
        end.await(2);
        join(connection.disconnect());
    }

    private static Octets named(MemoryRegion memory) {
        return Octets.wrap(ByteBuffer.allocate(12)
                .putInt(memory.stag())
                .putLong(memory.base())
                .array());
    }

    private static String text(MemoryRegion memory, long at, long length) {
        byte[] octets = memory.memory().asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
        return new String(octets, StandardCharsets.US_ASCII);
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static Config addressed(String address) {
        return ConfigFactory.parseString("iwcm.nic.addresses = [{ address = \"" + address + "\" }]");
    }
}
