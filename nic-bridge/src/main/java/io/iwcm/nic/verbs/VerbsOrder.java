package io.iwcm.nic.verbs;

import io.iwcm.nic.memory.Access;
import io.iwcm.nic.memory.MemoryRegion;
import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.spi.QpId;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;

/** What an application asks of the NIC beside its connections; answers are given on the NIC's thread. */
public sealed interface VerbsOrder {

    /**
     * Make memory reachable.
     *
     * @param base the tagged offset of its first octet
     * @param answer empty when there are too many regions
     */
    record Register(
            ProtectionDomain domain,
            MemorySegment memory,
            long base,
            Access access,
            Consumer<Optional<MemoryRegion>> answer)
            implements VerbsOrder {}

    /** Make it unreachable for good; the NIC does not touch it once this is answered. */
    record Deregister(MemoryRegion region, Runnable answer) implements VerbsOrder {}

    /**
     * Take a queue pair into use that no connection and no consumer has.
     *
     * @param depth the longer of its queues
     * @param answer whether it could be
     */
    record Open(QpId qp, ProtectionDomain domain, int depth, QpConsumer consumer, Consumer<Boolean> answer)
            implements VerbsOrder {}

    /** Do this work; {@code consumer} hears how it ended, also when there is no such queue pair. */
    record Post(QpId qp, WorkRequest work, QpConsumer consumer) implements VerbsOrder {}
}
