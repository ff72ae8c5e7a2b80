package io.iwcm.cm.rping;

import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.api.ListenHandle;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Endpoint;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** The end that listens, reads what a client names and writes it back. Serves each connection on a thread of its own. */
public final class RpingServer {

    private final ConnectionManager manager;
    private final RpingPlan plan;
    private final Consumer<String> say;
    private final LinkedBlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();

    /**
     * How one connection went.
     *
     * @param pings that went well
     * @param failure why it ended when it did not end in order
     */
    public record Outcome(int pings, Optional<String> failure) {}

    /**
     * A server.
     *
     * @param say prints a line
     */
    public RpingServer(ConnectionManager manager, RpingPlan plan, Consumer<String> say) {
        this.manager = manager;
        this.plan = plan;
        this.say = say;
    }

    /** Listens; completes when clients can come. */
    public CompletionStage<ListenHandle> listen(Endpoint local) {
        return manager.listen(ListenOptions.on(local), (connection, event) -> {
            debug("server: " + connection.remote() + " " + event);
            if (event instanceof CmEvent.ConnectRequest) {
                Thread.ofVirtual().name("rping-server").start(() -> serve(connection));
            }
        });
    }

    /** How the next connection that ends has gone. */
    public Outcome awaitEnd() throws InterruptedException {
        return outcomes.take();
    }

    private void serve(Connection connection) {
        int[] pings = {0};
        Optional<String> failure = Optional.empty();
        try (PingQueue queue = new PingQueue(manager, RpingPlan.SIZE_MAX + 1)) {
            AcceptOptions options = AcceptOptions.DEFAULT.queuePair(queue.id()).depths(new ReadDepths(1, 1));
            Cause cause = Waited.on(connection.accept(options));
            if (cause != Cause.NONE) {
                throw new RpingException("the connection was not accepted: " + cause.phrase());
            }
            try {
                while (answer(queue)) pings[0]++;
            } finally {
                Waited.on(connection.disconnect());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = Optional.of("interrupted");
        } catch (RuntimeException e) {
            failure = Optional.of(String.valueOf(e.getMessage()));
        }
        outcomes.add(new Outcome(pings[0], failure));
    }

    /** One ping; false when the client has ended instead. */
    private boolean answer(PingQueue queue) throws InterruptedException {
        Optional<PingQueue.Named> source = queue.hear();
        if (source.isEmpty()) return false;
        int length = source.get().length();
        if (length < 0 || length > queue.sink().length()) {
            throw new RpingException("the client's ping has " + Integer.toUnsignedString(length) + " octets");
        }
        queue.read(source.get().buffer(), length);
        byte[] text = queue.sink().memory().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        if (plan.verbose()) say.accept("server ping data: " + PingText.shown(text));
        queue.tell(queue.source(), 0);

        Optional<PingQueue.Named> sink = queue.hear();
        if (sink.isEmpty()) throw new RpingException("the client ended in the middle of a ping");
        queue.write(sink.get().buffer(), Math.min(length, PingText.lengthWithNul(text)));
        queue.tell(queue.source(), 0);
        return true;
    }

    private void debug(String line) {
        if (plan.debug()) say.accept(line);
    }
}
