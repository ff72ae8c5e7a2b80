package io.iwcm.cm.rping;

import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectResult;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.proto.CmEvent;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** The end that connects, names its buffers and checks what comes back. */
public final class RpingClient {

    private final ConnectionManager manager;
    private final RpingPlan plan;
    private final Duration pause;
    private final Consumer<String> say;

    /**
     * A client.
     *
     * @param pause before the first message: a peer may not be ready to read as soon as it has accepted
     * @param say prints a line
     */
    public RpingClient(ConnectionManager manager, RpingPlan plan, Duration pause, Consumer<String> say) {
        this.manager = manager;
        this.plan = plan;
        this.pause = pause;
        this.say = say;
    }

    /**
     * Connects, pings and closes.
     *
     * @return pings that went well
     * @throws RpingException when one did not
     * @throws io.iwcm.cm.api.CmException when there was no connection
     */
    public int run(ConnectOptions options) throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        try (PingQueue queue = new PingQueue(manager, plan.size())) {
            ConnectResult result = Waited.on(manager.connect(options.queuePair(queue.id()), (_, event) -> {
                debug("client: " + event);
                if (event instanceof CmEvent.Closed) closed.countDown();
            }));
            Connection connection = result.orElseThrow();
            try {
                Thread.sleep(pause);
                return ping(queue);
            } finally {
                Waited.on(connection.disconnect());
                closed.await();
            }
        }
    }

    private int ping(PingQueue queue) throws InterruptedException {
        int ping = 0;
        while (plan.count() == 0 || ping < plan.count()) {
            byte[] text = PingText.of(ping, plan.size());
            MemorySegment.copy(text, 0, queue.source().memory(), ValueLayout.JAVA_BYTE, 0, text.length);
            queue.sink().memory().fill((byte) 0);

            queue.tell(queue.source(), plan.size());
            goAhead(queue, ping, "read");
            queue.tell(queue.sink(), plan.size());
            goAhead(queue, ping, "written");

            byte[] back = queue.sink().memory().toArray(ValueLayout.JAVA_BYTE);
            int mismatch = java.util.Arrays.mismatch(text, back);
            if (plan.validate() && mismatch >= 0) {
                throw new RpingException("ping " + ping + " came back with another octet at " + mismatch);
            }
            if (plan.verbose()) say.accept("ping data: " + PingText.shown(back));
            ping++;
        }
        return ping;
    }

    private void goAhead(PingQueue queue, int ping, String what) throws InterruptedException {
        if (queue.hear().isEmpty()) {
            throw new RpingException("the connection ended in ping " + ping + ", before it was " + what);
        }
        debug("client: ping " + ping + " was " + what);
    }

    private void debug(String line) {
        if (plan.debug()) say.accept(line);
    }
}
