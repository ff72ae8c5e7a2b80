package io.iwcm.nic.spi;

/**
 * One incarnation of a dispatcher bucket, as steering knows it: who gets the frames of a flow.
 *
 * @param id unique among all that were ever registered at one bridge: an incarnation's id does not come back
 */
public record Owner(long id) {}
