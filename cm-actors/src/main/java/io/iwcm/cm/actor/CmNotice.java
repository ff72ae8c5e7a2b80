package io.iwcm.cm.actor;

import io.iwcm.cm.proto.CmEvent;

/**
 * An event of a connection, for its application.
 *
 * @param connection whose; accept, reject, disconnect and abort go there
 * @param event what happened
 */
public record CmNotice(CmConnection connection, CmEvent event) {}
