package io.iwcm.cm.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ForkJoinPool;
import java.util.function.ToDoubleFunction;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.dispatch.Dispatcher;

/** The threads that actors run on, and what waits for them. */
final class Pools {

    private final MeterRegistry registry;

    Pools(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Those of an actor system; an executor that is no fork-join pool has nothing to tell. */
    void of(ActorSystem<?> system) {
        of("default", system.dispatchers().lookup(DispatcherSelector.defaultDispatcher()));
        of("blocking", system.dispatchers().lookup(DispatcherSelector.blocking()));
    }

    private void of(String name, Object dispatcher) {
        if (dispatcher instanceof Dispatcher executes
                && executes.executorService().executor() instanceof ForkJoinPool pool) {
            gauge("iwcm_dispatcher_threads", "threads of a dispatcher", name, pool, ForkJoinPool::getPoolSize);
            gauge(
                    "iwcm_dispatcher_threads_active",
                    "threads of a dispatcher that work or look for work",
                    name,
                    pool,
                    ForkJoinPool::getActiveThreadCount);
            gauge(
                    "iwcm_dispatcher_queue",
                    "actors and tasks that wait for a thread of a dispatcher",
                    name,
                    pool,
                    waiting -> waiting.getQueuedTaskCount() + waiting.getQueuedSubmissionCount());
            FunctionCounter.builder("iwcm_dispatcher_steals", pool, ForkJoinPool::getStealCount)
                    .tag("dispatcher", name)
                    .description("tasks that one thread of a dispatcher took from another")
                    .register(registry);
        }
    }

    private void gauge(
            String metric, String sentence, String name, ForkJoinPool pool, ToDoubleFunction<ForkJoinPool> value) {
        Gauge.builder(metric, pool, value)
                .tag("dispatcher", name)
                .description(sentence)
                .register(registry);
    }
}
