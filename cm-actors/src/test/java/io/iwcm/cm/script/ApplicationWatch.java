package io.iwcm.cm.script;

import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the application of one connection may be told, and what it is owed (PROTOCOL §20): the right first event, each event
 * once, nothing after the last, an answer to every call.
 */
final class ApplicationWatch {

    private enum Told {
        NOTHING,
        ASKED,
        STANDS,
        DISCONNECTED,
        OVER
    }

    private final boolean active;
    private final Map<Long, CmInput> unanswered = new LinkedHashMap<>();
    private Told told = Told.NOTHING;
    private boolean accepted;
    private boolean gone;
    private boolean superseded;

    ApplicationWatch(boolean active) {
        this.active = active;
    }

    void calls(long id, CmInput input) {
        unanswered.put(id, input);
    }

    void isGone() {
        gone = true;
    }

    /** Somebody else has the connection: nothing is owed any more. */
    void isSuperseded() {
        superseded = true;
        unanswered.clear();
    }

    /** Calls that have no answer, for whoever makes them again: an answer to the first reaches nobody. */
    Map<Long, CmInput> takeUnanswered() {
        Map<Long, CmInput> taken = new LinkedHashMap<>(unanswered);
        unanswered.clear();
        return taken;
    }

    /** An accept has been answered, but the answer was lost. */
    void lostAnswer(Cause cause) {
        accepted |= cause == Cause.NONE;
    }

    /** What is wrong with this answer; empty when nothing is. */
    Optional<String> answered(long id, Cause cause) {
        CmInput call = unanswered.remove(id);
        if (call == null) {
            return Optional.of("call " + id + " was answered a second time, or never made");
        }
        accepted |= call instanceof CmInput.Accept && cause == Cause.NONE;
        return Optional.empty();
    }

    /** What is wrong with telling the application this now; empty when nothing is. */
    Optional<String> told(CmEvent event) {
        if (gone) {
            return Optional.of("an application that is gone was told something");
        }
        boolean fits = switch (event) {
            case CmEvent.ConnectRequest _ -> !active && told == Told.NOTHING;
            case CmEvent.ConnectReply _ -> active && told == Told.NOTHING;
            case CmEvent.Established _ -> !active && told == Told.ASKED && accepted;
            case CmEvent.AcceptFailed _ -> !active && told == Told.ASKED && accepted;
            case CmEvent.Disconnected _ -> told == Told.STANDS;
            case CmEvent.Closed _ -> told == Told.STANDS || told == Told.DISCONNECTED;
        };
        if (!fits) {
            return Optional.of("an event that does not fit what the application was told before: " + told
                    + (accepted ? ", accept answered" : ""));
        }
        told = switch (event) {
            case CmEvent.ConnectRequest _ -> Told.ASKED;
            case CmEvent.ConnectReply reply -> reply.outcome() == Cause.NONE ? Told.STANDS : Told.OVER;
            case CmEvent.Established _ -> Told.STANDS;
            case CmEvent.Disconnected _ -> Told.DISCONNECTED;
            case CmEvent.AcceptFailed _, CmEvent.Closed _ -> Told.OVER;
        };
        return Optional.empty();
    }

    /** What the application is still owed at the end of the connection. */
    List<String> owed() {
        List<String> owed = new ArrayList<>();
        unanswered.values().forEach(call -> owed.add("an answer to " + call));
        if (!gone && !superseded) {
            if (active && told == Told.NOTHING) {
                owed.add("a connect-reply");
            }
            if (told == Told.STANDS || told == Told.DISCONNECTED) {
                owed.add("closed, since it was told that the connection stands");
            }
            if (!active && accepted && told == Told.ASKED) {
                owed.add("established or accept-failed, since its accept was answered ok");
            }
        }
        return owed;
    }

    boolean superseded() {
        return superseded;
    }
}
