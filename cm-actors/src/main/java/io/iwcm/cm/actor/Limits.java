package io.iwcm.cm.actor;

import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.steer.LocalAddresses;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.VlanTag;
import java.time.Duration;

/** What a caller may ask for. What is not allowed is said in one sentence, before anything has been done. */
final class Limits {

    private Limits() {}

    static void privateData(Octets data, int revision) {
        int most = MpaCodec.privateDataMax(revision >= 2);
        require(
                data.length() <= most,
                "private data of " + data.length() + " octets is too long: at most " + most
                        + " are allowed in MPA revision " + revision);
    }

    static void revision(int revision) {
        require(revision == 1 || revision == 2, "MPA revision " + revision + " is not spoken here: 1 or 2 is allowed");
    }

    static void vlan(int vlan) {
        require(
                vlan >= 0 && vlan <= VlanTag.ID_MAX,
                "VLAN " + vlan + " is out of range: 0.." + VlanTag.ID_MAX + " are allowed");
    }

    static void localAddress(LocalAddress local) {
        require(
                LocalAddresses.isPossible(local),
                "address " + local.address() + "/" + local.prefixLength() + " on VLAN " + local.vlan()
                        + " cannot be a NIC's: a unicast address with a prefix length of its family, on VLAN 0.."
                        + VlanTag.ID_MAX + ", is allowed");
    }

    static void remote(Endpoint remote, Endpoint local) {
        require(remote.port() != 0, "remote port 0 cannot be connected to: 1..65535 are allowed");
        require(
                !remote.address().isUnspecified() && !remote.address().isMulticast(),
                "remote address " + remote.address() + " cannot be connected to: a unicast address is allowed");
        require(
                remote.address().version() == local.address().version(),
                "local address " + local.address() + " and remote address " + remote.address()
                        + " must be of one address family");
        require(
                !local.address().isMulticast(),
                "local address " + local.address() + " cannot be used: a unicast address is allowed");
    }

    static void backlog(String name, int backlog) {
        require(
                backlog >= 1 && backlog <= 1_048_576,
                name + " " + backlog + " is out of range: 1..1048576 are allowed");
    }

    static void trafficClass(int trafficClass) {
        require(
                trafficClass >= 0 && trafficClass <= 255,
                "traffic class " + trafficClass + " is out of range: 0..255 are allowed");
    }

    static void synTimeout(Duration timeout) {
        require(
                timeout.compareTo(Duration.ofMillis(1)) >= 0 && timeout.compareTo(Duration.ofDays(1)) <= 0,
                "SYN timeout " + timeout + " is out of range: 1 ms .. 1 day are allowed");
    }

    static void require(boolean allowed, String sentence) {
        if (!allowed) throw new IllegalArgumentException(sentence);
    }
}
