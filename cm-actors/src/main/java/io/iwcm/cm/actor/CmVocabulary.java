package io.iwcm.cm.actor;

import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.codec.Vocabulary;
import io.iwcm.nic.codec.Words;
import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.Letter;

/** What the actors of a connection manager tell each other from member to member. */
public final class CmVocabulary implements Vocabulary {

    @Override
    public void speak(Words words) {
        words.message(IlqDispatcher.Command.class, IlqDispatcher.Opened.class, IlqDispatcher.Reported.class)
                .message(IlqDispatcher.Up.class, IlqDispatcher.Drained.class)
                .message(Listeners.Command.class, Listeners.Reported.class, Listeners.Closed.class)
                .message(Listener.Command.class, Listener.Destroyed.class)
                .message(CmNotice.class, ConnectAnswer.class, ListenAnswer.class, AddressAnswer.class, Cause.class)
                .message(CmConsumer.Told.class, CmConsumer.Over.class, RelayedConsumer.Relayed.class)
                .open(Letter.class, IlqDispatcher.Called.class)
                .open(Letter.class, IlqDispatcher.ConsumerFailed.class)
                .open(Checkpoint.class, NodeCheckpoint.class)
                .open(CmConsumer.class, CmConsumer.ActorConsumer.class)
                .open(CmConsumer.class, CmConsumer.HandlerConsumer.class)
                .open(CmConsumer.class, RelayedConsumer.class)
                .message(CmGuardian.Command.class, CmGuardian.Stopped.class, CmSnapshot.class)
                .stays(CmGuardian.MemberLost.class, CmGuardian.MemberBack.class, CmGuardian.Mapped.class)
                .message(Room.Command.class, Room.Left.class)
                .as(NodeRecord.class, NodeRecord.Crossing.class, NodeRecord::crossing, NodeRecord::of);
    }
}
