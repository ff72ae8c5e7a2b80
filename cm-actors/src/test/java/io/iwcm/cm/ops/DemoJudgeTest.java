package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.ops.DemoLedger.Pair;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.link.FaultRates;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Octets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A judge that finds nothing wrong with a wrong run would make every demo a success. */
class DemoJudgeTest {

    private static final Octets HELLO = Octets.ofHex("68656c6c6f");
    private static final ReadDepths LIMITS = new ReadDepths(32, 32);
    private static final DemoPlan PLAN = new DemoPlan(
            new DemoPlan.Network(false, 0),
            2,
            true,
            false,
            new ReadDepths(8, 4),
            HELLO,
            new DemoPlan.Wire(FaultRates.NONE, 1, Optional.empty()),
            new DemoPlan.Load(1, 1));
    private static final FlowKey FLOW =
            new FlowKey(new Endpoint(IpAddress.parse("10.0.0.1"), 1), new Endpoint(IpAddress.parse("10.0.0.2"), 2), 0);

    private final List<CmEvent> initiator = new ArrayList<>(List.of(
            new CmEvent.ConnectReply(Cause.NONE, new ReadDepths(8, 4), new PeerDepths(true, 16, 8), HELLO),
            new CmEvent.Disconnected(Cause.NONE),
            new CmEvent.Closed(Cause.NONE)));
    private final List<CmEvent> target = new ArrayList<>(List.of(
            new CmEvent.ConnectRequest(2, new PeerDepths(true, 8, 4), new ReadDepths(32, 8), HELLO),
            new CmEvent.Established(new ReadDepths(16, 8)),
            new CmEvent.Disconnected(Cause.NONE),
            new CmEvent.Closed(Cause.NONE)));

    private List<String> judged() {
        return DemoJudge.judge(PLAN, LIMITS, new Pair(FLOW, initiator, target));
    }

    @Test
    void aRightRunHasNothingWrong() {
        assertThat(judged()).isEmpty();
    }

    @Test
    void aMissingEventIsWrong() {
        target.remove(1);

        assertThat(judged()).singleElement().asString().contains("the target's events");
    }

    @Test
    void anEventTooManyIsWrong() {
        initiator.add(new CmEvent.Closed(Cause.NONE));

        assertThat(judged()).singleElement().asString().contains("the initiator's events");
    }

    @Test
    void otherPrivateDataIsWrong() {
        initiator.set(
                0,
                new CmEvent.ConnectReply(Cause.NONE, new ReadDepths(8, 4), new PeerDepths(true, 16, 8), Octets.EMPTY));

        assertThat(judged()).singleElement().asString().contains("private data of the reply");
    }

    @Test
    void depthsThatDoNotFitAreWrong() {
        initiator.set(
                0, new CmEvent.ConnectReply(Cause.NONE, new ReadDepths(8, 17), new PeerDepths(true, 16, 9), HELLO));
        target.set(1, new CmEvent.Established(new ReadDepths(3, 9)));

        assertThat(judged()).hasSize(4);
    }

    @Test
    void anEndByResetIsWrong() {
        target.set(3, new CmEvent.Closed(Cause.RESET));

        assertThat(judged()).singleElement().asString().contains("the target's close should be NONE but is RESET");
    }
}
