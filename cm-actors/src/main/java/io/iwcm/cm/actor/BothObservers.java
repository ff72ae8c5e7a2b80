package io.iwcm.cm.actor;

import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.Step;

/** Two who watch, one after the other. */
record BothObservers(CmObserver first, CmObserver second) implements CmObserver {

    @Override
    public void frameReceived(byte[] frame, long nowNs) {
        first.frameReceived(frame, nowNs);
        second.frameReceived(frame, nowNs);
    }

    @Override
    public void frameSent(byte[] frame, long nowNs) {
        first.frameSent(frame, nowNs);
        second.frameSent(frame, nowNs);
    }

    @Override
    public void began(CmConnection connection, Step step, long nowNs) {
        first.began(connection, step, nowNs);
        second.began(connection, step, nowNs);
    }

    @Override
    public void stepped(CmConnection connection, StateName from, CmInput input, Step step, long nowNs) {
        first.stepped(connection, from, input, step, nowNs);
        second.stepped(connection, from, input, step, nowNs);
    }

    @Override
    public void notified(CmConnection connection, CmEvent event, long nowNs) {
        first.notified(connection, event, nowNs);
        second.notified(connection, event, nowNs);
    }

    /** Only one can hear of actors: the first who wants to. */
    @Override
    public ActorWatch actors(ActorKind kind) {
        ActorWatch watch = first.actors(kind);
        return watch == ActorWatch.NONE ? second.actors(kind) : watch;
    }
}
