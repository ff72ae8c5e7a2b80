package io.iwcm.cm.analyze;

import io.iwcm.cm.analyze.ConnectionReport.End;
import io.iwcm.cm.analyze.ConnectionReport.Ending;

/** How a conversation ended. */
final class Endings {

    private Endings() {}

    /** At least one end has sent FIN. */
    static boolean closes(Conversation conversation) {
        return conversation.first().fin().isPresent()
                || conversation.second().fin().isPresent();
    }

    static Ending of(Conversation conversation) {
        boolean byInitiator = conversation
                .marks()
                .firstEnd()
                .map(mark -> mark.by() == conversation.initiator())
                .orElse(false);
        String who = "the " + (byInitiator ? "initiator" : "responder");
        String other = "the " + (byInitiator ? "responder" : "initiator");
        if (conversation.resetBy().isPresent()) {
            boolean resetByInitiator = conversation.resetBy().get() == conversation.initiator();
            String resetter = "the " + (resetByInitiator ? "initiator" : "responder");
            String words = !closes(conversation)
                    ? resetter + " reset it"
                    : resetByInitiator == byInitiator
                            ? who + " sent FIN, then RST"
                            : who + " sent FIN and " + other + " answered with RST";
            return new Ending(End.RESET, resetByInitiator, words);
        }
        boolean both = conversation.first().fin().isPresent()
                && conversation.second().fin().isPresent();
        if (conversation.ended().isPresent()) {
            return new Ending(End.CLOSED, byInitiator, who + " sent FIN and " + other + " closed too");
        }
        if (both) {
            return new Ending(End.CLOSED, byInitiator, "both sent FIN, and not every FIN was acknowledged");
        }
        if (closes(conversation)) {
            return new Ending(End.HALF_CLOSED, byInitiator, who + " sent FIN, and " + other + " did not close");
        }
        boolean opened = conversation.handshakeDone().isPresent()
                || conversation.opener().isEmpty();
        return opened
                ? new Ending(End.OPEN, false, "still open when the capture ended")
                : new Ending(End.NEVER_OPENED, false, "TCP never opened");
    }
}
