package io.iwcm.nic.verbs;

import io.iwcm.nic.memory.Access;
import io.iwcm.nic.memory.MemoryRegion;
import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.memory.RegionTable;
import io.iwcm.nic.spi.QpId;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * A NIC's memory and queue pairs for applications in its process; safe from any thread. Stages complete on virtual threads
 * named {@code iwcm-application} and fail with a {@link VerbsException}.
 */
public final class Verbs {

    private static final Executor APPLICATIONS =
            task -> Thread.ofVirtual().name("iwcm-application").start(task);

    private final Predicate<VerbsOrder> nic;

    /**
     * Of the NIC that takes orders there.
     *
     * @param nic gives an order to the NIC's thread; false: the NIC is closed
     */
    public Verbs(Predicate<VerbsOrder> nic) {
        this.nic = nic;
    }

    /** Registers memory at the tagged offset that is its address, as libibverbs does; 0 for an array. */
    public CompletionStage<MemoryRegion> register(ProtectionDomain domain, MemorySegment memory, Access access) {
        return register(domain, memory, memory.isNative() ? memory.address() : 0, access);
    }

    /**
     * Registers memory.
     *
     * @param memory 1 octet or more, of an array or of an arena that is not confined to a thread; it must live until it has
     *     been deregistered
     * @param base the tagged offset of its first octet, unsigned; the last one may be 2^64-1
     * @throws IllegalArgumentException when the memory cannot be registered; nothing is done
     */
    public CompletionStage<MemoryRegion> register(
            ProtectionDomain domain, MemorySegment memory, long base, Access access) {
        boolean confined = !memory.isAccessibleBy(new Thread(() -> {}));
        Optional<RegionTable.Refusal> refusal =
                confined ? Optional.of(RegionTable.Refusal.CONFINED) : RegionTable.judge(memory, base, access);
        refusal.ifPresent(why -> {
            throw new IllegalArgumentException(
                    switch (why) {
                        case TOO_MANY -> "there are too many regions";
                        case BAD_BOUNDS -> "a region must hold an octet and end at tagged offset 2^64 - 1";
                        case READ_ONLY -> "memory that is read-only cannot be written to";
                        case CONFINED -> "memory of one thread alone cannot be registered: use a shared arena";
                    });
        });
        CompletableFuture<MemoryRegion> registered = new CompletableFuture<>();
        order(
                new VerbsOrder.Register(
                        domain,
                        memory,
                        base,
                        access,
                        region -> APPLICATIONS.execute(() -> region.ifPresentOrElse(
                                registered::complete,
                                () -> registered.completeExceptionally(
                                        new VerbsException("the NIC has as many regions as it may have"))))),
                registered);
        return registered;
    }

    /** Ends a region: completes when the NIC will not touch the memory again. Again: nothing happens. */
    public CompletionStage<Void> deregister(MemoryRegion region) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        order(new VerbsOrder.Deregister(region, () -> APPLICATIONS.execute(() -> done.complete(null))), done);
        return done;
    }

    /**
     * Takes a queue pair into use that was made for it and has no connection yet.
     *
     * @param qp made by the connection manager, which gives it a connection by {@code accept} or {@code connect}
     */
    public CompletionStage<RdmaQueuePair> open(QpId qp, QpOptions options) {
        CompletableFuture<RdmaQueuePair> opened = new CompletableFuture<>();
        RdmaQueuePair pair = new RdmaQueuePair(qp, options, nic, APPLICATIONS);
        if (!pair.reserve()) {
            opened.completeExceptionally(
                    new VerbsException("the completion queue is smaller than what is to complete there"));
            return opened;
        }
        int depth = Math.max(options.sendDepth(), options.receiveDepth());
        order(
                new VerbsOrder.Open(
                        qp,
                        options.domain(),
                        depth,
                        pair.hearing(),
                        good -> APPLICATIONS.execute(() -> {
                            if (good) {
                                opened.complete(pair);
                            } else {
                                pair.release();
                                opened.completeExceptionally(new VerbsException(
                                        qp + " is in use, is not there, or its queues would be too deep"));
                            }
                        })),
                opened);
        return opened;
    }

    private void order(VerbsOrder order, CompletableFuture<?> answer) {
        if (!nic.test(order)) {
            answer.completeExceptionally(new VerbsException("the NIC is closed"));
        }
    }
}
