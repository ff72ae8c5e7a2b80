package io.iwcm.cm.rping;

import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.nic.memory.Access;
import io.iwcm.nic.memory.MemoryRegion;
import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.memory.Slices;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.verbs.Completion;
import io.iwcm.nic.verbs.Completion.Kind;
import io.iwcm.nic.verbs.Completion.Status;
import io.iwcm.nic.verbs.CompletionQueue;
import io.iwcm.nic.verbs.PostResult;
import io.iwcm.nic.verbs.QpOptions;
import io.iwcm.nic.verbs.RdmaQueuePair;
import io.iwcm.nic.verbs.RemoteBuffer;
import io.iwcm.nic.verbs.WorkRequest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One end of a ping: a queue pair, its memory, and messages that each name a buffer (8 octets offset, 4 STag, 4 length, big
 * endian). For one thread.
 */
final class PingQueue implements AutoCloseable {

    /** A buffer of the other end. */
    record Named(RemoteBuffer buffer, int length) {}

    private static final int MESSAGE = 16;
    private static final int SEND_DEPTH = 16;
    private static final int RECEIVE_DEPTH = 2;
    private static final Duration A_WHILE = Duration.ofSeconds(10);

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final ConnectionManager manager;
    private final Arena arena = Arena.ofShared();
    private final CompletionQueue done = new CompletionQueue(SEND_DEPTH + RECEIVE_DEPTH);
    private final ArrayDeque<Completion> seen = new ArrayDeque<>();
    private final RdmaQueuePair pair;
    private final MemoryRegion messages;
    private final MemoryRegion source;
    private final MemoryRegion sink;
    private long works;

    /** Makes queue pair and memory, and posts the first receive. */
    PingQueue(ConnectionManager manager, int size) throws InterruptedException {
        this.manager = manager;
        ProtectionDomain domain = new ProtectionDomain("rping");
        this.pair = Waited.on(manager.createQueuePair(QpOptions.of(domain, done, SEND_DEPTH, RECEIVE_DEPTH)));
        this.messages = register(domain, 2 * MESSAGE, Access.LOCAL_WRITE);
        this.source = register(domain, size, Access.ALL);
        this.sink = register(domain, size, Access.ALL);
        receive();
    }

    private MemoryRegion register(ProtectionDomain domain, int size, Access access) throws InterruptedException {
        MemorySegment memory = arena.allocate(size, Long.BYTES);
        return Waited.on(manager.verbs().register(domain, memory, access));
    }

    QpId id() {
        return pair.id();
    }

    /** What the other end reads. */
    MemoryRegion source() {
        return source;
    }

    /** What the other end writes, or where what was read goes. */
    MemoryRegion sink() {
        return sink;
    }

    /** Names a buffer of ours to the other end. */
    void tell(MemoryRegion buffer, int length) {
        MemorySegment message = messages.memory().asSlice(MESSAGE, MESSAGE);
        message.set(LONG, 0, buffer.base());
        message.set(INT, 8, buffer.stag());
        message.set(INT, 12, length);
        post(new WorkRequest.Send(++works, Slices.of(messages, MESSAGE, MESSAGE)));
    }

    /** The next message of the other end; empty when the connection has ended. */
    Optional<Named> hear() throws InterruptedException {
        Completion heard = next(Kind.RECEIVE);
        if (heard.status() == Status.FLUSHED) {
            return Optional.empty();
        }
        require(heard);
        if (heard.length() != MESSAGE) {
            throw new RpingException("the peer sent a message of " + heard.length() + " octets instead of 16");
        }
        MemorySegment message = messages.memory();
        int stag = message.get(INT, 8);
        Named named = new Named(new RemoteBuffer(stag, message.get(LONG, 0)), message.get(INT, 12));
        receive();
        return Optional.of(named);
    }

    /** Reads a buffer of the other end into ours. */
    void read(RemoteBuffer from, int length) throws InterruptedException {
        post(new WorkRequest.Read(++works, Slices.of(sink, 0, length), from));
        require(next(Kind.READ));
    }

    /** Writes ours to the other end. */
    void write(RemoteBuffer to, int length) throws InterruptedException {
        post(new WorkRequest.Write(++works, Slices.of(sink, 0, length), to));
        require(next(Kind.WRITE));
    }

    private void receive() {
        post(new WorkRequest.Receive(++works, Slices.of(messages, 0, MESSAGE)));
    }

    private void post(WorkRequest work) {
        PostResult result = pair.post(work);
        if (result != PostResult.POSTED) {
            throw new RpingException("work could not be posted: " + result.phrase());
        }
    }

    /** The next completion of a kind. Whenever a connection ends everything is flushed, so this does not wait for ever. */
    private Completion next(Kind kind) throws InterruptedException {
        while (true) {
            Optional<Completion> found =
                    seen.stream().filter(one -> one.kind() == kind).findFirst();
            if (found.isPresent()) {
                seen.remove(found.get());
                return found.get();
            }
            done.await(A_WHILE).filter(one -> one.kind() != Kind.SEND).ifPresent(seen::add);
        }
    }

    private static void require(Completion completion) {
        if (!completion.good()) {
            throw new RpingException("a " + completion.kind().name().toLowerCase(java.util.Locale.ROOT) + " failed: "
                    + completion.status().phrase());
        }
    }

    /** Ends queue pair and memory; waits for it. */
    @Override
    public void close() {
        CompletionStage<Void> all = manager.destroyQueuePair(pair.id());
        for (MemoryRegion region : new MemoryRegion[] {messages, source, sink}) {
            all = all.thenCompose(_ -> manager.verbs().deregister(region));
        }
        all.toCompletableFuture().join();
        arena.close();
    }
}
