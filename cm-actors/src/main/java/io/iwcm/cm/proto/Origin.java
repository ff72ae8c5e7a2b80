package io.iwcm.cm.proto;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.Path;

/** How a connection began, and what it keeps of that for life. */
sealed interface Origin {

    Path path();

    /**
     * We opened it.
     *
     * @param spec as asked for
     * @param attempt 1, or 2 after the fall-back to MPA revision 1
     */
    record Active(ConnectSpec spec, int attempt) implements Origin {
        @Override
        public Path path() {
            return spec.path();
        }

        /** What this attempt asks for: on the second, revision 1 without the peer-to-peer model. */
        io.iwcm.cm.mpa.Initiator.Wish wish() {
            io.iwcm.cm.mpa.Initiator.Wish asked = spec.wish();
            return attempt == 1 ? asked : asked.revision1();
        }

        boolean mayFallBack() {
            return attempt == 1 && spec.fallBack() && spec.wish().revision() == 2;
        }
    }

    /** A peer opened it, by a listener. */
    record Passive(ListenKey listener, Path path) implements Origin {}
}
