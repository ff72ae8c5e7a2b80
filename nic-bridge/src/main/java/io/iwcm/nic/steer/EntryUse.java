package io.iwcm.nic.steer;

import io.iwcm.nic.spi.NicEvent.Failure;
import java.util.Optional;

/**
 * One user's hold on an entry of {@link SharedEntries}, who alone changes it.
 *
 * @param <K> names the entry
 */
public final class EntryUse<K> {

    private enum Status {
        WAITING,
        READY,
        FAILED,
        LEFT
    }

    private final K key;
    private Status status = Status.WAITING;
    private Optional<Failure> failure = Optional.empty();

    EntryUse(K key) {
        this.key = key;
    }

    public K key() {
        return key;
    }

    /** The device has not answered yet. */
    public boolean isWaiting() {
        return status == Status.WAITING;
    }

    /** The device has the entry. */
    public boolean isReady() {
        return status == Status.READY;
    }

    /** Why the device would not have the entry; there is nothing to leave then. */
    public Optional<Failure> failure() {
        return failure;
    }

    void ready() {
        status = Status.READY;
    }

    void failed(Failure why) {
        status = Status.FAILED;
        failure = Optional.of(why);
    }

    void left() {
        status = Status.LEFT;
    }
}
