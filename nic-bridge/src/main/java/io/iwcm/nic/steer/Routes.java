package io.iwcm.nic.steer;

import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.VlanTag;
import java.util.List;
import java.util.Optional;

/**
 * The ways to peers: the prefixes of our own addresses, IPv6 link-local within its VLAN, and routes that were set. The
 * longest prefix wins; among equals our own prefix, then the order of the routes.
 */
public final class Routes {

    private final LocalAddresses local;
    private final List<Route> routes;

    public Routes(LocalAddresses local, List<Route> routes) {
        this.local = local;
        this.routes = List.copyOf(routes);
    }

    /** The first step to {@code remote} on that VLAN; empty: no route. */
    public Optional<Hop> to(IpAddress remote, int vlan) {
        if (local.has(remote, vlan)) {
            return Optional.of(new Hop.Inside());
        }
        if (remote.isLoopback()) {
            return Optional.empty(); // On a VLAN there is no inside.
        }
        if (remote.isLinkLocal() && !remote.isV4()) {
            return Optional.of(new Hop.Neighbour(remote, vlan));
        }
        return best(remote, vlan).map(route -> new Hop.Neighbour(route.gateway().orElse(remote), vlan));
    }

    /**
     * The local address, with its VLAN, that a connection to {@code remote} starts from when nobody asked for one.
     *
     * @param vlan decides only where the address alone does not: for IPv6 link-local addresses
     */
    public Optional<LocalAddress> source(IpAddress remote, int vlan) {
        Optional<LocalAddress> own = local.find(remote, remote.isLoopback() ? VlanTag.UNTAGGED : vlan);
        if (own.isPresent()) {
            return own;
        }
        if (remote.isLinkLocal() && !remote.isV4()) {
            return firstOn(vlan, remote, true);
        }
        return best(remote, ANY_VLAN).flatMap(route -> sourceFor(route, remote));
    }

    /** Our address that asks a neighbour where it is; empty when we have none of its family on its VLAN. */
    public Optional<IpAddress> asking(Hop.Neighbour neighbour) {
        Optional<LocalAddress> near = Optional.empty();
        for (LocalAddress own : local.all()) {
            boolean possible = own.vlan() == neighbour.vlan()
                    && own.address().version() == neighbour.address().version();
            boolean onLink = possible && neighbour.address().inPrefix(own.address(), own.prefixLength());
            if (onLink || (possible && near.isEmpty())) {
                near = Optional.of(own);
            }
        }
        return near.map(LocalAddress::address);
    }

    private Optional<LocalAddress> sourceFor(Route route, IpAddress remote) {
        IpAddress next = route.gateway().orElse(remote);
        Optional<LocalAddress> best = Optional.empty();
        for (LocalAddress address : local.all()) {
            boolean near = address.vlan() == route.vlan() && next.inPrefix(address.address(), address.prefixLength());
            if (near && (best.isEmpty() || address.prefixLength() > best.get().prefixLength())) {
                best = Optional.of(address);
            }
        }
        // An IPv6 gateway is known by its link-local address, which says nothing about our source's scope.
        boolean wrongScope =
                best.isPresent() && !remote.isV4() && best.get().address().isLinkLocal();
        return best.isPresent() && !wrongScope ? best : firstOn(route.vlan(), remote, false);
    }

    private Optional<LocalAddress> firstOn(int vlan, IpAddress remote, boolean linkLocal) {
        return local.all().stream()
                .filter(a -> a.vlan() == vlan && a.address().version() == remote.version())
                .filter(a -> a.address().isLinkLocal() == linkLocal)
                .findFirst();
    }

    private Optional<Route> best(IpAddress remote, int vlan) {
        Optional<Route> best = Optional.empty();
        for (LocalAddress address : local.all()) {
            Route onLink = new Route(address.address(), address.prefixLength(), Optional.empty(), address.vlan());
            best = better(best, onLink, remote, vlan);
        }
        for (Route route : routes) {
            best = better(best, route, remote, vlan);
        }
        return best;
    }

    private static Optional<Route> better(Optional<Route> best, Route next, IpAddress remote, int vlan) {
        boolean fits =
                (vlan == ANY_VLAN || vlan == next.vlan()) && remote.inPrefix(next.network(), next.prefixLength());
        boolean longer = best.isEmpty() || next.prefixLength() > best.get().prefixLength();
        return fits && longer ? Optional.of(next) : best;
    }

    private static final int ANY_VLAN = -1;
}
