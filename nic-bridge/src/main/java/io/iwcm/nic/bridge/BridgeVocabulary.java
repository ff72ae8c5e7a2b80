package io.iwcm.nic.bridge;

import io.iwcm.nic.codec.Vocabulary;
import io.iwcm.nic.codec.Words;
import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.Letter;
import io.iwcm.nic.spi.NicControl;

/** What crosses between a bridge and dispatchers on other members; checkpoints and letters are the dispatchers'. */
public final class BridgeVocabulary implements Vocabulary {

    @Override
    public void speak(Words words) {
        words.message(Bridge.Command.class, Bridge.Delivered.class, Bridge.Detached.class, NicControl.Answer.class)
                .stays(Bridge.MemberLost.class, Bridge.MemberBack.class)
                .open(Checkpoint.class)
                .open(Letter.class);
    }
}
