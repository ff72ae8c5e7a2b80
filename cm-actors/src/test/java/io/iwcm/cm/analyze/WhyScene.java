package io.iwcm.cm.analyze;

import static io.iwcm.cm.analyze.FpduMaker.emptyRead;
import static io.iwcm.cm.analyze.FpduMaker.tagged;
import static io.iwcm.cm.analyze.Tape.reply;
import static io.iwcm.cm.analyze.Tape.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** A capture in the making, and the question what an analysis says of it. */
abstract class WhyScene {

    static final byte[] V1_REQUEST = request("4001 0004", "ping");
    static final byte[] V1_REPLY = reply("4001 0004", "pong");
    /** CRC, peer-to-peer, IRD 4, ORD 3, write or read. */
    static final byte[] V2_REQUEST = request("5002 0008 8004c003", "ping");
    /** CRC, peer-to-peer, IRD 3, ORD 4, read. */
    static final byte[] V2_REPLY = reply("5002 0004 80034004", "");

    final Tape tape = new Tape();
    final FpduMaker there = new FpduMaker(false, true);
    final FpduMaker back = new FpduMaker(false, true);

    void accepted(byte[] request, byte[] reply) {
        tape.open();
        tape.initiator.says(request);
        tape.responder.says(reply);
    }

    void established() {
        accepted(V2_REQUEST, V2_REPLY);
        tape.initiator.says(there.fpdu(emptyRead()));
        tape.responder.says(back.fpdu(tagged(2, 0)));
    }

    void says(Why why, Verdict weight, String words) {
        says(tape.report(), why, weight, words);
    }

    static void says(ConnectionReport report, Why why, Verdict weight, String words) {
        Finding finding = report.findings().stream()
                .filter(f -> f.why() == why)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + why + " in " + report.findings()));
        assertThat(finding.sentence()).contains(words);
        assertThat(finding.weight()).isEqualTo(weight);
        assertThat(report.verdict()).isGreaterThanOrEqualTo(weight);
    }

    static List<Why> whys(ConnectionReport report) {
        return report.findings().stream().map(Finding::why).toList();
    }
}
