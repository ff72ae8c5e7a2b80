package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.Owner;

/**
 * A dispatcher that is there.
 *
 * @param owner its name
 * @param flows so many are its own, those that are over and not acknowledged included
 */
public record OwnerUse(Owner owner, int flows) {}
