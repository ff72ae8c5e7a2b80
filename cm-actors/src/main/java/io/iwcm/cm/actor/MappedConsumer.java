package io.iwcm.cm.actor;

import io.iwcm.nic.wire.FlowKey;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Shows an application its connections under the endpoints that it knows.
 *
 * @param application told
 * @param shown the flow as the application knows it, of the flow on the wire
 * @param atTheEnd done when a connection is over
 */
record MappedConsumer(CmConsumer application, UnaryOperator<FlowKey> shown, Runnable atTheEnd) implements CmConsumer {

    @Override
    public CmConsumer of(CmConnection connection) {
        return new MappedConsumer(application.of(shown(connection)), shown, atTheEnd);
    }

    @Override
    public void tell(CmNotice notice) {
        application.tell(
                switch (notice) {
                    case CmNotice.Event(var connection, long number, var event) ->
                        new CmNotice.Event(shown(connection), number, event);
                    case CmNotice.Moved(var connection) -> new CmNotice.Moved(shown(connection));
                });
    }

    @Override
    public Optional<ActorRef<?>> actor() {
        return application.actor();
    }

    @Override
    public void ended() {
        application.ended();
        atTheEnd.run();
    }

    private CmConnection shown(CmConnection connection) {
        return connection.shownAs(shown.apply(connection.flow()));
    }
}
