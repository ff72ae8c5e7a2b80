package io.iwcm.cm.proto;

import io.iwcm.cm.mpa.Initiator;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.wire.FlowKey;
import java.time.Duration;
import java.util.Optional;

/**
 * An active open, validated by the API.
 *
 * @param flow both endpoints, ports chosen
 * @param qp takes the connection over when it stands
 * @param path priority and traffic class
 * @param wish what MPA asks for
 * @param fallBack try once more with revision 1 when the peer closes on the revision 2 request (RFC 6581 §10)
 * @param synTimeout how long to try to reach the peer's TCP (RFC 9293 §3.8.3, R2); empty: as the settings have it
 */
public record ConnectSpec(
        FlowKey flow, QpId qp, Path path, Initiator.Wish wish, boolean fallBack, Optional<Duration> synTimeout) {}
