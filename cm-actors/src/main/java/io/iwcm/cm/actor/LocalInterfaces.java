package io.iwcm.cm.actor;

import io.iwcm.nic.spi.NicControl.LocalAddress;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The addresses of a NIC, and which are up: those whose VLAN is, while the NIC is. */
final class LocalInterfaces {

    private final Map<Place, LocalAddress> known = new LinkedHashMap<>();
    private final BitSet vlansDown = new BitSet();
    private boolean down;

    LocalInterfaces(Collection<LocalAddress> addresses) {
        addresses.forEach(this::add);
    }

    /** Whether anything is different now. */
    boolean apply(AddressChange change) {
        return switch (change) {
            case AddressChange.AddressUp(var address) -> add(address);
            case AddressChange.AddressDown(var address, int vlan) -> known.remove(new Place(address, vlan)) != null;
            case AddressChange.InterfaceUp(var which) -> set(which, false);
            case AddressChange.InterfaceDown(var which) -> set(which, true);
        };
    }

    /** The NIC would not have it. */
    void forget(LocalAddress address) {
        known.remove(Place.of(address), address);
    }

    Set<LocalAddress> up() {
        return known.values().stream().filter(this::isUp).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private boolean isUp(LocalAddress address) {
        return !down && !vlansDown.get(address.vlan());
    }

    private boolean add(LocalAddress address) {
        return !address.equals(known.put(Place.of(address), address));
    }

    private boolean set(NicInterface which, boolean isDown) {
        boolean before;
        switch (which) {
            case NicInterface.Whole _ -> {
                before = down;
                down = isDown;
            }
            case NicInterface.Vlan(int id) -> {
                before = vlansDown.get(id);
                vlansDown.set(id, isDown);
            }
        }
        return before != isDown;
    }
}
