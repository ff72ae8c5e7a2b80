package io.iwcm.nic.steer;

import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.Ipv6Address;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.VlanTag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * The addresses of a NIC: one MAC address, and IP addresses that each live on one VLAN with an on-link prefix. 127.0.0.0/8
 * and ::1 are ours too, inside the NIC and without a VLAN.
 */
public final class LocalAddresses {

    private static final MacAddress ALL_NODES = new MacAddress(0x3333_0000_0001L);

    private final MacAddress mac;
    private final int addressesMax;
    private final LinkedHashMap<Place, LocalAddress> addresses = new LinkedHashMap<>();

    public LocalAddresses(MacAddress mac, int addressesMax) {
        if (mac.isGroup() || mac.equals(MacAddress.ZERO)) {
            throw new IllegalArgumentException("MAC address " + mac + " is not one that a host can have");
        }
        this.mac = mac;
        this.addressesMax = addressesMax;
    }

    public MacAddress mac() {
        return mac;
    }

    /** Whether {@code address} can be a NIC's: unicast, and with a prefix that fits. */
    public static boolean isPossible(LocalAddress address) {
        IpAddress ip = address.address();
        return !ip.isUnspecified()
                && !ip.isMulticast()
                && !ip.isLoopback()
                && !(ip instanceof Ipv4Address v4 && v4.isLimitedBroadcast())
                && address.prefixLength() >= 0
                && address.prefixLength() <= (ip.isV4() ? 32 : 128)
                && address.vlan() >= 0
                && address.vlan() <= VlanTag.ID_MAX;
    }

    /** Adds an address, or replaces its prefix; false when the table is full. */
    public boolean add(LocalAddress address) {
        Place place = new Place(address.address(), address.vlan());
        if (!addresses.containsKey(place) && addresses.size() >= addressesMax) {
            return false;
        }
        addresses.put(place, address);
        return true;
    }

    /** Whether it was there. */
    public boolean remove(IpAddress address, int vlan) {
        return addresses.remove(new Place(address, vlan)) != null;
    }

    /** Whether the address is ours on that VLAN of the wire: loopback is not. */
    public boolean hasOnWire(IpAddress address, int vlan) {
        return addresses.containsKey(new Place(address, vlan));
    }

    /** Whether the address is ours on that VLAN, loopback included. */
    public boolean has(IpAddress address, int vlan) {
        return hasOnWire(address, vlan) || (address.isLoopback() && vlan == VlanTag.UNTAGGED);
    }

    /** Where the address is ours, on whatever VLAN; the given one first. */
    public Optional<LocalAddress> find(IpAddress address, int vlanFirst) {
        if (has(address, vlanFirst)) {
            return Optional.of(new LocalAddress(address, address.isV4() ? 32 : 128, vlanFirst));
        }
        return addresses.values().stream()
                .filter(a -> a.address().equals(address))
                .findFirst();
    }

    /** Whether a frame to this MAC address is for us: our own, broadcast, or an IPv6 group that we are in. */
    public boolean takes(MacAddress destination) {
        if (destination.equals(mac)) {
            return true;
        }
        if (!destination.isGroup()) {
            return false;
        }
        if (destination.equals(MacAddress.BROADCAST)) {
            return true;
        }
        for (LocalAddress address : addresses.values()) {
            if (address.address() instanceof Ipv6Address v6
                    && (destination.equals(ALL_NODES) || destination.equals(groupMac(v6.solicitedNodeMulticast())))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the address is the broadcast address of one of our IPv4 prefixes on that VLAN. */
    public boolean isSubnetBroadcast(IpAddress address, int vlan) {
        if (!(address instanceof Ipv4Address(int bits))) {
            return false;
        }
        for (LocalAddress own : addresses.values()) {
            boolean hasBroadcast = own.prefixLength() < 31 && own.vlan() == vlan;
            int hostBits = -1 >>> own.prefixLength();
            if (hasBroadcast && (bits & hostBits) == hostBits && address.inPrefix(own.address(), own.prefixLength())) {
                return true;
            }
        }
        return false;
    }

    /** All addresses in the order they came. */
    public List<LocalAddress> all() {
        return new ArrayList<>(addresses.values());
    }

    /** 33:33 and the last four octets of the group (RFC 2464 §7). */
    public static MacAddress groupMac(Ipv6Address group) {
        return new MacAddress(0x3333_0000_0000L | (group.low() & 0xffff_ffffL));
    }

    private record Place(IpAddress address, int vlan) {}
}
