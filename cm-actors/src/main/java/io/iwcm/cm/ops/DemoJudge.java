package io.iwcm.cm.ops;

import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.ops.DemoLedger.Pair;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.spi.ReadDepths;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Says what was not as it must be at both ends of a demo's connection. */
final class DemoJudge {

    private final DemoPlan plan;
    private final ReadDepths limits;
    private final List<String> wrong = new ArrayList<>();

    private DemoJudge(DemoPlan plan, ReadDepths limits) {
        this.plan = plan;
        this.limits = limits;
    }

    /**
     * @param limits the read depths that both ends' settings allow
     * @return one sentence for each thing that is wrong; empty when everything is right
     */
    static List<String> judge(DemoPlan plan, ReadDepths limits, Pair pair) {
        DemoJudge judge = new DemoJudge(plan, limits);
        judge.orders(pair);
        if (judge.wrong.isEmpty()) judge.contents(pair);
        return judge.wrong.stream().map(what -> pair.flow() + ": " + what).toList();
    }

    /** Which events came, in which order. */
    private void orders(Pair pair) {
        expect(
                "the initiator's events",
                plan.reject() ? "ConnectReply" : "ConnectReply Disconnected Closed",
                kinds(pair.initiator()));
        expect(
                "the target's events",
                plan.reject() ? "ConnectRequest" : "ConnectRequest Established Disconnected Closed",
                kinds(pair.target()));
    }

    private static String kinds(List<CmEvent> events) {
        return events.stream().map(event -> event.getClass().getSimpleName()).collect(Collectors.joining(" "));
    }

    private void contents(Pair pair) {
        boolean negotiated = plan.revision() == 2;
        ReadDepths asked = new ReadDepths(
                Math.min(plan.depths().ird(), limits.ird()),
                Math.min(plan.depths().ord(), limits.ord()));
        for (CmEvent event : pair.initiator()) initiator(event, asked, negotiated);
        for (CmEvent event : pair.target()) target(event, asked, negotiated);
    }

    private void initiator(CmEvent event, ReadDepths asked, boolean negotiated) {
        switch (event) {
            case CmEvent.ConnectReply(Cause outcome, ReadDepths depths, PeerDepths peer, var data) -> {
                expect("the connect's outcome", plan.reject() ? Cause.REJECTED_ULP : Cause.NONE, outcome);
                expect("the private data of the reply", plan.privateData(), data);
                expect("whether the reply had read depths", negotiated, peer.present());
                if (!plan.reject() && negotiated) {
                    expect("the initiator's ORD is within the target's IRD", true, depths.ord() <= peer.ird());
                    expect("the target's ORD is within the initiator's IRD", true, peer.ord() <= asked.ird());
                }
            }
            case CmEvent.Disconnected(Cause cause) -> expect("the initiator's disconnect", Cause.NONE, cause);
            case CmEvent.Closed(Cause cause) -> expect("the initiator's close", Cause.NONE, cause);
            case CmEvent.ConnectRequest _, CmEvent.Established _, CmEvent.AcceptFailed _ -> {}
        }
    }

    private void target(CmEvent event, ReadDepths asked, boolean negotiated) {
        switch (event) {
            case CmEvent.ConnectRequest(int revision, PeerDepths peer, var _, var data) -> {
                expect("the revision of the request", plan.revision(), revision);
                expect("the private data of the request", plan.privateData(), data);
                if (negotiated) {
                    expect("the request's IRD", asked.ird(), peer.ird());
                    expect("the request's ORD is the asked one, or 1 for a Read RTR", true, ordFits(asked, peer));
                }
            }
            case CmEvent.Established(ReadDepths depths) -> {
                if (negotiated) {
                    expect("the target's IRD takes the initiator's ORD", true, depths.ird() >= asked.ord());
                    expect("the target's ORD is within the initiator's IRD", true, depths.ord() <= asked.ird());
                }
            }
            case CmEvent.Disconnected(Cause cause) -> expect("the target's disconnect", Cause.NONE, cause);
            case CmEvent.Closed(Cause cause) -> expect("the target's close", Cause.NONE, cause);
            case CmEvent.ConnectReply _, CmEvent.AcceptFailed _ -> {}
        }
    }

    private static boolean ordFits(ReadDepths asked, PeerDepths peer) {
        return peer.ord() == asked.ord() || (asked.ord() == 0 && peer.ord() == 1);
    }

    private void expect(String what, Object expected, Object actual) {
        if (!expected.equals(actual)) wrong.add(what + " should be " + expected + " but is " + actual);
    }
}
