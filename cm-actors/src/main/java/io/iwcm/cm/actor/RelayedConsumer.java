package io.iwcm.cm.actor;

import io.iwcm.nic.bridge.Announcement;
import io.iwcm.nic.codec.Portable;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * An application that is told by way of somebody who changes what it is told, or answers for it.
 *
 * @param relay told first
 * @param application told in the end
 */
public record RelayedConsumer(ActorRef<Relayed> relay, CmConsumer application) implements CmConsumer {

    /** What a relay is told. */
    public sealed interface Relayed extends Portable {}

    /** A notice on its way. */
    record Notice(CmConsumer application, CmNotice notice) implements Relayed {}

    /** A connection is over. */
    record IsOver(CmConsumer application, CmConnection connection) implements Relayed {}

    /** No connection comes any more; those that are there go on. */
    enum NoMore implements Relayed {
        INSTANCE
    }

    @Override
    public Announcement<?> telling(CmNotice notice) {
        return new Announcement<>(relay, new Notice(application, notice));
    }

    @Override
    public Optional<Announcement<?>> over(CmConnection connection) {
        return Optional.of(new Announcement<>(relay, new IsOver(application, connection)));
    }

    @Override
    public Optional<ActorRef<?>> actor() {
        return application.actor();
    }
}
