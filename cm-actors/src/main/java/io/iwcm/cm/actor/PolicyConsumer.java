package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Stands before an application and answers connect requests for it.
 *
 * @param answer what to every request
 * @param application told of the rest
 * @param ignored takes the answers to our calls
 */
record PolicyConsumer(CmConnection.Call answer, CmConsumer application, ActorRef<Cause> ignored) implements CmConsumer {

    /** The application itself when it wants to be asked. */
    static CmConsumer of(ListenOrder.AnswerPolicy policy, CmConsumer application, ActorRef<Cause> ignored) {
        return switch (policy) {
            case ListenOrder.AnswerPolicy.Ask _ -> application;
            case ListenOrder.AnswerPolicy.Accept(var with) -> new PolicyConsumer(with, application, ignored);
            case ListenOrder.AnswerPolicy.Reject(var data) ->
                new PolicyConsumer(new CmConnection.Reject(data), application, ignored);
        };
    }

    @Override
    public CmConsumer of(CmConnection connection) {
        return new PolicyConsumer(answer, application.of(connection), ignored);
    }

    @Override
    public void tell(CmNotice notice) {
        if (notice.event() instanceof CmEvent.ConnectRequest)
            notice.connection().call(answer, ignored);
        else application.tell(notice);
    }

    @Override
    public Optional<ActorRef<?>> actor() {
        return application.actor();
    }
}
