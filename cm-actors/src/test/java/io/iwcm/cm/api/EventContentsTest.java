package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an application reads off an event: both ends, the peer's words, the peer's read depths; a rejection's too. */
class EventContentsTest {

    private final Lab lab = new Lab();
    private final Events passiveEvents = new Events();
    private final Events activeEvents = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    @Test
    void tellBothIpv4Ends() {
        tellBothEnds("10.0.0.2/24", "10.0.0.1/24", Flows.end("10.0.0.2:50001"), Flows.end("10.0.0.1:4420"), 0);
    }

    @Test
    void tellBothIpv6Ends() {
        tellBothEnds("fd00::2/64@7", "fd00::1/64@7", Flows.end("[fd00::2]:50001"), Flows.end("[fd00::1]:4420"), 7);
    }

    private void tellBothEnds(String from, String to, Endpoint ours, Endpoint theirs, int vlan) {
        Station active = lab.station(from);
        Station passive = lab.station(to);
        within(passive.cm().listen(ListenOptions.on(theirs), passiveEvents));
        ConnectOptions options = ConnectOptions.to(theirs)
                .from(ours)
                .vlan(vlan)
                .depths(new ReadDepths(5, 6))
                .privateData(Octets.ofHex("616263"));

        var connecting = active.cm().connect(options, activeEvents);

        Events.Heard asked = passiveEvents.take();
        assertThat(asked.connection().local()).isEqualTo(theirs);
        assertThat(asked.connection().remote()).isEqualTo(ours);
        assertThat(asked.connection().flow()).isEqualTo(new FlowKey(theirs, ours, vlan));
        assertThat(asked.event())
                .isEqualTo(new CmEvent.ConnectRequest(
                        2, new PeerDepths(true, 5, 6), new ReadDepths(32, 5), Octets.ofHex("616263")));
        within(asked.connection().reject(Octets.ofHex("6e6f")));

        Events.Heard rejected = activeEvents.take();
        assertThat(rejected.connection().local()).isEqualTo(ours);
        assertThat(rejected.connection().remote()).isEqualTo(theirs);
        assertThat(rejected.connection().flow()).isEqualTo(new FlowKey(ours, theirs, vlan));
        assertThat(rejected.event())
                .isEqualTo(new CmEvent.ConnectReply(
                        Cause.REJECTED_ULP, new ReadDepths(5, 6), new PeerDepths(true, 32, 5), Octets.ofHex("6e6f")));
        assertThat(within(connecting)).isInstanceOf(ConnectResult.Failed.class);
    }
}
