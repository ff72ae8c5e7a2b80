package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.NicCommand.ListenKey;

/**
 * How full the backlogs of one SYN entry are.
 *
 * @param key the entry
 * @param halfOpen places taken by connections whose handshake is not complete
 * @param waiting places taken by connections that wait for the application
 */
public record BacklogUse(ListenKey key, int halfOpen, int waiting) {}
