package io.iwcm.cm.http;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.trace.ConnectionHistory;
import java.util.Comparator;
import java.util.Optional;

/**
 * A connection as somebody saw it.
 *
 * @param connection it
 * @param bornNs when it was made, on the NIC's clock
 * @param state where it stood
 * @param history what it went through, when that is kept
 */
record Seen(CmConnection connection, long bornNs, StateName state, Optional<ConnectionHistory> history) {

    /** No two are equal, and a later one never comes before an earlier one. */
    static final Comparator<Seen> NEWEST_FIRST =
            Comparator.comparing(Seen::place).reversed();

    static Seen of(ConnectionHistory history) {
        return new Seen(history.connection(), history.bornNs(), history.facts().state(), Optional.of(history));
    }

    Place place() {
        return new Place(bornNs, connection.id().value());
    }

    /** Where a connection stands in the order of their age. */
    record Place(long bornNs, long id) implements Comparable<Place> {

        @Override
        public int compareTo(Place other) {
            return bornNs != other.bornNs ? Long.compare(bornNs, other.bornNs) : Long.compare(id, other.id);
        }

        /** Reads what {@link #toString} prints. */
        static Place parse(String text) {
            if (!text.matches("-?\\d{1,18}_\\d{1,18}")) {
                throw Call.notAllowed("after", text, "the \"next\" of the page before is");
            }
            int dash = text.indexOf('_');
            return new Place(Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
        }

        @Override
        public String toString() {
            return bornNs + "_" + id;
        }
    }
}
