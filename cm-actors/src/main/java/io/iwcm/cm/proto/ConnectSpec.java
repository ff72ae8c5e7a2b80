package io.iwcm.cm.proto;

import io.iwcm.cm.mpa.Initiator;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.wire.FlowKey;

/**
 * An active open, validated by the API.
 *
 * @param flow both endpoints, ports chosen
 * @param qp takes the connection over when it stands
 * @param path priority and traffic class
 * @param wish what MPA asks for
 * @param fallBack try once more with revision 1 when the peer closes on the revision 2 request (RFC 6581 §10)
 */
public record ConnectSpec(FlowKey flow, QpId qp, Path path, Initiator.Wish wish, boolean fallBack) {}
