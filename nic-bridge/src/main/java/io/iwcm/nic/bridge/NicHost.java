package io.iwcm.nic.bridge;

import io.iwcm.nic.link.Link;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.steer.SipHash;
import io.iwcm.nic.verbs.Verbs;
import io.iwcm.nic.wire.MacAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running NIC: link, RNIC and the stream between them. It belongs to the process: the actor system that its stream runs
 * on need not be the one whose connections use it, and several bridges, one after another, may be its face.
 */
public final class NicHost implements AutoCloseable {

    private static final int STOP_SECONDS = 5;
    private static final Logger LOG = LoggerFactory.getLogger(NicHost.class);

    private final Link link;
    private final NanoClock clock;
    private final BridgeCounters counters;
    private final Inbox<NicInput> inbox;
    private final CompletionStage<Done> streamDone;
    private final AtomicInteger numbers = new AtomicInteger();

    private NicHost(
            Link link, NanoClock clock, BridgeCounters counters, Pair<Inbox<NicInput>, CompletionStage<Done>> running) {
        this.link = link;
        this.clock = clock;
        this.counters = counters;
        this.inbox = running.first();
        this.streamDone = running.second().whenComplete((_, broken) -> {
            if (broken == null) return;
            counters.count(BridgeCounter.NIC_FAILURES);
            LOG.error("the stream of {} broke, and nothing is sent or received any more", link.name(), broken);
        });
    }

    /**
     * What a host may be told beside its link and RNIC.
     *
     * @param ilq how far dispatchers may fall behind
     * @param receiveQueueFrames frames that may wait between the link's thread and the RNIC, 1 or more
     * @param clock gives the RNIC its time
     * @param observer watches the frames
     */
    public record Options(IlqLimits ilq, int receiveQueueFrames, NanoClock clock, FrameObserver observer) {
        public static final Options DEFAULT =
                new Options(IlqLimits.DEFAULT, 16_384, NanoClock.SYSTEM, FrameObserver.NONE);

        public Options withClock(NanoClock other) {
            return new Options(ilq, receiveQueueFrames, other, observer);
        }

        public Options withObserver(FrameObserver other) {
            return new Options(ilq, receiveQueueFrames, clock, other);
        }

        public Options withIlq(IlqLimits other) {
            return new Options(other, receiveQueueFrames, clock, observer);
        }
    }

    /**
     * Opens what the settings name and starts it, with secrets of its own for hashing.
     *
     * @param around puts something around the opened link, such as a recorder; when it throws, the link is closed
     * @param observer watches the frames
     * @throws RuntimeException with one sentence when the link cannot be opened; nothing stays behind
     */
    public static NicHost open(
            ActorSystem<?> runOn, NicSettings settings, UnaryOperator<Link> around, FrameObserver observer) {
        NicSettings own = settings.withMac(settings.mac().orElseGet(() -> Opening.madeUpMac(new SecureRandom())));
        Link opened = Opening.link(own);
        try {
            return on(runOn, around.apply(opened), own, observer);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /**
     * Starts what the settings name on a link that is there already; that they name another one does not matter.
     *
     * @param link taken over: closed with the host
     * @param observer watches the frames
     * @throws RuntimeException with one sentence when it cannot be; the link is still the caller's
     */
    public static NicHost on(ActorSystem<?> runOn, Link link, NicSettings settings, FrameObserver observer) {
        SecureRandom random = new SecureRandom();
        NanoClock clock = NanoClock.SYSTEM;
        MacAddress mac = settings.mac().orElseGet(() -> Opening.madeUpMac(random));
        Rnic rnic = new SoftRnic(
                settings.rnicConfig(mac, link.mtu()),
                new SipHash(random.nextLong(), random.nextLong()),
                settings.rnic().cookies(),
                random::nextLong,
                clock.nowNs());
        return start(runOn, link, rnic, new Options(settings.ilq(), settings.receiveQueueFrames(), clock, observer));
    }

    /**
     * Starts the link and runs the stream.
     *
     * @param runOn lends its threads and its scheduler; must outlive this host
     * @param link taken over: closed with the host
     * @param rnic taken over: touched by the stream alone from here on
     */
    public static NicHost start(ActorSystem<?> runOn, Link link, Rnic rnic, Options options) {
        BridgeCounters counters = new BridgeCounters();
        Pair<Inbox<NicInput>, CompletionStage<Done>> running = Source.fromGraph(
                        new LinkSource(link, options.receiveQueueFrames(), counters))
                .viaMat(new RnicStage(rnic, options.ilq(), options.clock(), options.observer(), counters), Keep.right())
                .toMat(Sink.<List<byte[]>>foreach(frames -> transmit(link, frames, counters)), Keep.both())
                .run(Materializer.matFromSystem(runOn));
        return new NicHost(link, options.clock(), counters, running);
    }

    private static void transmit(Link link, List<byte[]> frames, BridgeCounters counters) {
        try {
            link.transmit(frames);
        } catch (RuntimeException e) {
            counters.count(BridgeCounter.NIC_FAILURES);
            LOG.error("the link {} failed on {} frames and the NIC goes on", link.name(), frames.size(), e);
        }
    }

    /** What it sends and receives by. */
    public Link link() {
        return link;
    }

    /** A number that nobody has had from this host before, from 0. */
    public int nextNumber() {
        return numbers.getAndIncrement();
    }

    /** The clock that the RNIC lives by. */
    public NanoClock clock() {
        return clock;
    }

    /** Memory and queue pairs for applications in this process. */
    public Verbs verbs() {
        return new Verbs(order -> submit(new NicInput.Worked(order)));
    }

    /** What passed so far; goes on counting. */
    public BridgeCounters counters() {
        return counters;
    }

    /**
     * Looks at the RNIC on its own thread, after all that was asked before.
     *
     * @param look must only look and be quick
     * @return what it saw; fails when {@code look} throws or the host is closed
     */
    public <T> CompletionStage<T> inspect(Function<Rnic, T> look) {
        CompletableFuture<T> seen = new CompletableFuture<>();
        boolean taken = submit(new NicInput.Inspected(rnic -> {
            try {
                seen.complete(look.apply(rnic));
            } catch (RuntimeException e) {
                seen.completeExceptionally(e);
            }
        }));
        if (!taken) seen.completeExceptionally(new IllegalStateException("the NIC on " + link.name() + " is closed"));
        return seen;
    }

    /** Works off what was asked before, sends what is to be sent, then gives the link back. Idempotent; waits for it. */
    @Override
    public void close() {
        submit(new NicInput.Stopped());
        try {
            streamDone.toCompletableFuture().get(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("the stream of {} did not end in order", link.name(), e);
        } finally {
            link.close();
        }
    }

    /**
     * From any thread; what one thread submits is done in that order.
     *
     * @return false when the host is closed: nothing will be done
     */
    boolean submit(NicInput input) {
        return inbox.add(input);
    }
}
