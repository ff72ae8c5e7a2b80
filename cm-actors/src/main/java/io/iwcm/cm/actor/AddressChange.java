package io.iwcm.cm.actor;

import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.wire.IpAddress;

/**
 * What happens to a NIC's addresses while it runs. Each may be told again, and of what nobody knows: then nothing happens but
 * that {@code address_changes_ignored} counts one.
 */
public sealed interface AddressChange {

    /** The NIC has this address; it is up when its interface is. */
    record AddressUp(LocalAddress address) implements AddressChange {
        public AddressUp {
            Limits.localAddress(address);
        }
    }

    /** The NIC has this address no more. */
    record AddressDown(IpAddress address, int vlan) implements AddressChange {
        public AddressDown {
            Limits.vlan(vlan);
        }
    }

    /** The addresses of this interface are back, those included that came while it was down. */
    record InterfaceUp(NicInterface which) implements AddressChange {}

    /** The addresses of this interface are gone until it is up again. */
    record InterfaceDown(NicInterface which) implements AddressChange {}
}
