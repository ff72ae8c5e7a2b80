package io.iwcm.nic.spi;

/**
 * A connection's state as its owner would need it back, kept by the NIC and never looked into. Inside one process it is
 * an object reference.
 */
public interface Checkpoint {}
