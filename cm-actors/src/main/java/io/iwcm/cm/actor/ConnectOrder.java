package io.iwcm.cm.actor;

import io.iwcm.cm.mpa.Initiator;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.wire.Endpoint;
import java.time.Duration;
import java.util.Optional;

/**
 * An active open that may be asked for; what is not allowed does not get this far.
 *
 * @param local where from: the unspecified address lets the route decide, port 0 lets one be chosen
 * @param remote where to
 * @param vlan VLAN id, 0 for none or, with an unspecified local address, the route's
 * @param qp the queue pair that is to have the connection; empty: one is made and ended with it
 * @param tos how our frames are marked
 * @param wish what MPA asks for
 * @param fallBack try once more with revision 1 when the peer closes on the request
 * @param synTimeout how long to try to reach the peer's TCP; empty: as the settings have it
 */
public record ConnectOrder(
        Endpoint local,
        Endpoint remote,
        int vlan,
        Optional<QpId> qp,
        ListenOrder.Tos tos,
        Initiator.Wish wish,
        boolean fallBack,
        Optional<Duration> synTimeout) {

    /** @throws IllegalArgumentException with one sentence when a value is not allowed */
    public ConnectOrder {
        Limits.remote(remote, local);
        Limits.vlan(vlan);
        Limits.revision(wish.revision());
        Limits.privateData(wish.privateData(), wish.revision());
        synTimeout.ifPresent(Limits::synTimeout);
    }

    /** The same between these endpoints. */
    ConnectOrder between(Endpoint otherLocal, Endpoint otherRemote) {
        return new ConnectOrder(otherLocal, otherRemote, vlan, qp, tos, wish, fallBack, synTimeout);
    }

    /** With the settings' patience. */
    public ConnectOrder(
            Endpoint local,
            Endpoint remote,
            int vlan,
            Optional<QpId> qp,
            ListenOrder.Tos tos,
            Initiator.Wish wish,
            boolean fallBack) {
        this(local, remote, vlan, qp, tos, wish, fallBack, Optional.empty());
    }

    Path path() {
        return tos.opening();
    }
}
