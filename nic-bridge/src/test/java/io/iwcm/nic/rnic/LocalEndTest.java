package io.iwcm.nic.rnic;

import static io.iwcm.nic.testkit.Flows.end;
import static io.iwcm.nic.testkit.Flows.flow;
import static io.iwcm.nic.testkit.Flows.syn;
import static io.iwcm.nic.testkit.RnicRig.A;
import static io.iwcm.nic.testkit.RnicRig.PEER;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.NicCommand.AddQuadHash;
import io.iwcm.nic.spi.NicCommand.CreateAh;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.NicCommand.Transmit;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.testkit.RnicRig;
import io.iwcm.nic.wire.FlowKey;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a connection begins: its address has a VLAN and a MAC address, or is loopback and has no wire at all. */
class LocalEndTest {

    private final RnicRig rig =
            RnicRig.with("10.0.0.1/24", "10.1.0.1/24@100", "fd00::1/64", "fd00:0:0:1::1/64@100", "fe80::1/64@100");

    @ParameterizedTest
    @CsvSource({"10.0.0.9, 10.0.0.1, 0", "10.1.0.9, 10.1.0.1, 100"})
    void anIpv4ConnectionIsOnTheVlanOfItsAddress(String remote, String local, int vlan) {
        sendsFrom(opened("0.0.0.0:0", remote + ":4420", 0), local, vlan, remote);
    }

    @ParameterizedTest
    @CsvSource({
        "fd00::9,         0,   fd00::1,         0",
        "fd00:0:0:1::9,   0,   fd00:0:0:1::1, 100",
        "fe80::9,         100, fe80::1,       100",
    })
    void anIpv6ConnectionIsOnTheVlanOfItsAddress(String remote, int asked, String local, int vlan) {
        sendsFrom(opened("[::]:0", "[" + remote + "]:4420", asked), local, vlan, remote);
    }

    /** The rig sees to it that each frame comes from the NIC's own MAC address. */
    private void sendsFrom(FlowKey flow, String local, int vlan, String remote) {
        assertThat(flow.local().address()).hasToString(local);
        assertThat(flow.vlan()).isEqualTo(vlan);
        rig.request(A, flow, 0, 1, new CreateAh(Path.DEFAULT));
        rig.resolve(remote, PEER, vlan);
        rig.request(A, flow, 0, 2, new AddQuadHash(Optional.empty()), new Transmit(syn(1)));
        assertThat(rig.take()).contains("> " + PEER + " tcp " + flow + " S 1");
    }

    @Test
    void ipv4LoopbackStaysInside() {
        turnsRound("0.0.0.0:0", "127.0.0.1:5000");
        turnsRound("127.0.0.1:0", "127.255.255.254:5000");
        goesOut("0.0.0.0:0", "10.0.0.9:5000");
        fromTheWireIsNobodys("127.0.0.1:5000", "127.0.0.1:4000");
    }

    @Test
    void ipv6LoopbackStaysInside() {
        turnsRound("[::]:0", "[::1]:5000");
        goesOut("[::]:0", "[fd00::9]:5000");
        fromTheWireIsNobodys("[::1]:5000", "[fd00::9]:4000");
    }

    private void turnsRound(String local, String remote) {
        rig.listen(remote, 0, 4, 4);
        FlowKey out = opened(local, remote, 0);
        rig.request(A, out, 0, 1, new CreateAh(Path.DEFAULT), new AddQuadHash(Optional.empty()), new Transmit(syn(1)));
        assertThat(rig.take()).endsWith("ilq 1 " + out.reversed() + " S 1 listener");
    }

    private void goesOut(String local, String remote) {
        FlowKey out = opened(local, remote, 0);
        rig.request(A, out, 0, 1, new CreateAh(Path.DEFAULT));
        assertThat(rig.take())
                .singleElement()
                .asString()
                .startsWith("> ")
                .contains(end(remote).address().toString());
    }

    private void fromTheWireIsNobodys(String local, String remote) {
        rig.receive(flow(local, remote), syn(1));
        assertThat(rig.take()).isEmpty();
    }

    private FlowKey opened(String local, String remote, int vlan) {
        return ((NicControl.FlowOpened) rig.open(local, remote, vlan)).flow();
    }
}
