package io.iwcm.nic.steer;

import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.wire.MacAddress;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a flow sends by.
 *
 * @param path priority and traffic class
 * @param hop the first step
 * @param ready whether the first step's MAC address has been found; what it is now is the neighbour table's to say
 * @param bound what it keeps of the neighbour table (gen-2 frames)
 */
public record AddressHandle(Path path, Hop hop, boolean ready, Bound bound) {

    public AddressHandle(Path path, Hop hop, boolean ready) {
        this(path, hop, ready, new Bound());
    }

    AddressHandle resolved() {
        return new AddressHandle(path, hop, true, bound);
    }

    /** The MAC address that a handle is bound to, for as long as the neighbour table stands by it. */
    public static final class Bound {
        private Optional<Neighbours.Binding> binding = Optional.empty();

        /** Empty when there is none, or none any more. */
        public Optional<MacAddress> mac() {
            return binding.filter(Neighbours.Binding::isCurrent).map(Neighbours.Binding::mac);
        }

        /** Whether it is bound now. */
        public boolean bind(Supplier<Optional<Neighbours.Binding>> anew) {
            binding = anew.get();
            return binding.isPresent();
        }
    }
}
