package io.iwcm.cm.actor;

import io.iwcm.cm.proto.CmCounter;
import io.iwcm.nic.wire.Endpoint;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One order's talk with the port mapper, which may be missing. From any thread. */
final class Mapping {

    /** Who has not answered by then is not there. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(Mapping.class);

    private final PortMapper mapper;
    private final CmCounters counters;
    private final Endpoint local;
    private final AtomicBoolean removable = new AtomicBoolean();

    /** @param local the application's endpoint */
    Mapping(PortMapper mapper, CmCounters counters, Endpoint local) {
        this.mapper = mapper;
        this.counters = counters;
        this.local = local;
    }

    /** The application's endpoint on the wire; empty when it is not to be had. */
    CompletionStage<Optional<Endpoint>> add() {
        removable.set(true); // Also when the answer is late: it may have been mapped.
        return ask(() -> mapper.add(local), local, refused -> {
            counters.count(CmCounter.PORT_MAPPER_REFUSALS);
            return Optional.empty();
        });
    }

    /** A peer's endpoint on the wire: its own unless the mapper knows another one. */
    CompletionStage<Optional<Endpoint>> query(Endpoint remote) {
        return ask(() -> mapper.query(remote), remote, _ -> Optional.of(remote));
    }

    private CompletionStage<Optional<Endpoint>> ask(
            Supplier<CompletionStage<PortMapper.Answer>> question,
            Endpoint identity,
            Function<PortMapper.Answer.Refused, Optional<Endpoint>> whenRefused) {
        CompletionStage<PortMapper.Answer> asked;
        try {
            asked = question.get();
        } catch (RuntimeException e) {
            asked = CompletableFuture.failedStage(e);
        }
        return asked.toCompletableFuture()
                .copy()
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .handle((answer, absent) -> {
                    if (absent != null) {
                        LOG.warn(
                                "the port mapper does not answer, so {} goes on the wire as it is: {}",
                                identity,
                                absent.toString());
                        counters.count(CmCounter.PORT_MAPPER_ABSENCES);
                        return Optional.of(identity);
                    }
                    return switch (answer) {
                        case PortMapper.Answer.Mapped(var wire) -> Optional.of(wire);
                        case PortMapper.Answer.Refused refused -> whenRefused.apply(refused);
                    };
                });
    }

    /** Gives back what was mapped; again, or when nothing was asked: nothing happens. */
    void remove() {
        if (!removable.compareAndSet(true, false)) return;
        try {
            mapper.remove(local);
        } catch (RuntimeException e) {
            LOG.warn("the port mapper failed to remove {}", local, e);
        }
    }
}
