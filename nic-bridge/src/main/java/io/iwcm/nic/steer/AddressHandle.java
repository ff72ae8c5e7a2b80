package io.iwcm.nic.steer;

import io.iwcm.nic.spi.NicCommand.Path;

/**
 * What a flow sends by.
 *
 * @param path priority and traffic class
 * @param hop the first step
 * @param ready whether the first step's MAC address has been found; what it is now is the neighbour table's to say
 */
public record AddressHandle(Path path, Hop hop, boolean ready) {

    AddressHandle resolved() {
        return new AddressHandle(path, hop, true);
    }
}
