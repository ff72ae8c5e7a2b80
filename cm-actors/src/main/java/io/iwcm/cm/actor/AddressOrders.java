package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/** The orders to a NIC that one {@link AddressChange} came to; when all are answered, whoever told it is. */
final class AddressOrders {

    private final ActorRef<AddressAnswer> replyTo;
    private int left;
    private Optional<Cause> refused = Optional.empty();

    /** @param orders how many; with none the answer is given at once */
    AddressOrders(int orders, ActorRef<AddressAnswer> replyTo) {
        this.left = orders;
        this.replyTo = replyTo;
        answerWhenComplete();
    }

    void done() {
        left--;
        answerWhenComplete();
    }

    void failed(Cause cause) {
        refused = Optional.of(cause);
        done();
    }

    private void answerWhenComplete() {
        if (left > 0) return;
        replyTo.tell(refused.isPresent() ? new AddressAnswer.Refused(refused.get()) : new AddressAnswer.Done());
    }
}
