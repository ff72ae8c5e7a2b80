package io.iwcm.cm.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.proto.CmEvent;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A handler that keeps what it hears for the test to take. */
public final class Events implements ConnectionHandler {

    /** An event and whose it was. */
    public record Heard(Connection connection, CmEvent event) {}

    private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private final List<CmEvent> all = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(Connection connection, CmEvent event) {
        all.add(event);
        heard.add(new Heard(connection, event));
    }

    public Heard take() {
        try {
            Heard next = heard.poll(30, TimeUnit.SECONDS);
            assertThat(next).as("an event").isNotNull();
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The next event, which must be of this kind. */
    public <E extends CmEvent> E take(Class<E> kind) {
        Heard next = take();
        assertThat(next.event()).isInstanceOf(kind);
        return kind.cast(next.event());
    }

    /** Everything heard so far. */
    public List<CmEvent> all() {
        return all;
    }
}
