package io.iwcm.nic.spi;

/**
 * A dispatcher bucket, as steering knows it: who gets the frames of a flow.
 *
 * @param id unique among the buckets registered at one bridge
 */
public record Owner(long id) {}
