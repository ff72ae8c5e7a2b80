package io.iwcm.cm.analyze;

/**
 * One line of a connection's time line.
 *
 * @param kind what happened
 * @param byInitiator by the initiator, else by the responder
 * @param first when first
 * @param times how often, retransmissions included
 * @param last when last
 * @param words what is to be said about it
 */
public record Moment(Kind kind, boolean byInitiator, Stamp first, int times, Stamp last, String words) {

    /** What can happen. */
    public enum Kind {
        SYN("SYN"),
        SYN_ACK("SYN-ACK"),
        ACK("ACK"),
        REQUEST("MPA request"),
        REPLY("MPA reply"),
        BAD_FRAME("MPA frame"),
        OTHER_DATA("other data"),
        RTR("RTR"),
        FPDU("FPDU"),
        TERMINATE("Terminate"),
        FIN("FIN"),
        RST("RST");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        /** For people. */
        public String title() {
            return title;
        }

        /** For scripts. */
        public String label() {
            return Labels.of(this);
        }
    }
}
