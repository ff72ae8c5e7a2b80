package io.iwcm.nic.spi;

/**
 * What one dispatcher has for whoever owns a flow, passed on by the NIC, which alone knows who that is, and never looked
 * into.
 */
public interface Letter {}
