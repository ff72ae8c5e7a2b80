package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.memory.Access;
import io.iwcm.nic.memory.MemoryRegion;
import io.iwcm.nic.memory.Slice;
import io.iwcm.nic.memory.Slices;
import io.iwcm.nic.spi.AsyncEvent.Code;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.verbs.Completion;
import io.iwcm.nic.verbs.Completion.Kind;
import io.iwcm.nic.verbs.Completion.Status;
import io.iwcm.nic.verbs.RemoteBuffer;
import io.iwcm.nic.verbs.WorkRequest;
import io.iwcm.nic.verbs.WorkRequest.Form;
import io.iwcm.nic.wire.Octets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What posted work becomes on the wire, and when it is completed (RFC 5040 §5, §5.5). */
class PostedWorkTest {

    private final VerbsScene it = VerbsScene.ready(Scene.Setup.responder());
    private final MemoryRegion region = it.region(5000, 0x1000, Access.ALL);

    PostedWorkTest() {
        byte[] content = new byte[5000];
        new Random(5).nextBytes(content);
        VerbsScene.fill(region, Octets.wrap(content));
    }

    private Completion done(long id, Kind kind, Status status, long length) {
        return new Completion(new QpId(7), id, kind, status, length, false, Optional.empty());
    }

    /** RFC 5040 §5.3, RFC 5041 §4.3: queue 0, MSN by message, MO by octet, last on the last. */
    @Test
    void aSendIsCutIntoSegments() {
        it.post(new WorkRequest.Send(1, new Slices(List.of(new Slice(region, 100, 1500), new Slice(region, 0, 500)))));
        it.post(new WorkRequest.Send(2, Slices.NONE));
        List<DdpSegment> sent = it.heard();
        assertThat(sent).hasSize(3);
        Octets first = sent.get(0).payload().concat(sent.get(1).payload());
        Octets content = VerbsScene.content(region);
        assertThat(first).isEqualTo(content.slice(100, 1500).concat(content.slice(0, 500)));
        assertThat(sent).extracting(DdpSegment::msn).containsExactly(1, 1, 2);
        assertThat(sent).extracting(DdpSegment::messageOffset).containsExactly(0, 1454 - 18, 0);
        assertThat(sent).extracting(DdpSegment::last).containsExactly(false, true, true);
        assertThat(sent).extracting(DdpSegment::queue).containsOnly(0);
        assertThat(it.completions)
                .containsExactly(done(1, Kind.SEND, Status.SUCCESS, 0), done(2, Kind.SEND, Status.SUCCESS, 0));
    }

    @ParameterizedTest
    @CsvSource({"false, false, 3", "false, true, 4", "true, false, 5", "true, true, 6"})
    void everyFormOfSendHasItsOpcode(boolean solicited, boolean invalidates, int opcode) {
        Optional<Integer> stag = invalidates ? Optional.of(0x12345678) : Optional.empty();
        it.post(new WorkRequest.Send(1, Slices.NONE, new Form(solicited, stag), true));
        DdpSegment sent = it.heard().getFirst();
        assertThat(sent.opcode()).isEqualTo(opcode);
        assertThat(sent.invalidates()).isEqualTo(stag.orElse(0));
    }

    @Test
    void aWriteIsTaggedAndTellsOnlyItsConsumer() {
        it.post(new WorkRequest.Write(1, Slices.of(region, 0, 3000), new RemoteBuffer(0xabcd, -2000)));
        List<DdpSegment> sent = it.heard();
        assertThat(sent).extracting(DdpSegment::stag).containsOnly(0xabcd);
        assertThat(sent).extracting(DdpSegment::taggedOffset).containsExactly(-2000L, -2000L + 1440, -2000L + 2880);
        assertThat(it.completions).containsExactly(done(1, Kind.WRITE, Status.SUCCESS, 0));
    }

    @Test
    void whatIsNotSignaledIsNotToldUnlessItFails() {
        it.post(new WorkRequest.Write(1, Slices.of(region), new RemoteBuffer(1, 0), false));
        assertThat(it.completions).isEmpty();
        it.regions.deregister(region);
        it.post(new WorkRequest.Write(2, Slices.of(region), new RemoteBuffer(1, 0), false));
        assertThat(it.completions).containsExactly(done(2, Kind.WRITE, Status.LOCAL_PROTECTION, 0));
        assertThat(it.terminate().slice(0, 4).toHex()).isEqualTo("00000000");
        assertThat(it.scene.qp.count(QpCounter.LOCAL_FAILURES)).isEqualTo(1);
    }

    /** RFC 5040 §5.2: the request names our memory; the answer is placed there and completes it. */
    @Test
    void aReadIsAskedForAndPlaced() {
        it.post(new WorkRequest.Read(1, Slices.of(region, 16, 4), new RemoteBuffer(0xfeed, 0x99)));
        DdpSegment request = it.heard().getFirst();
        assertThat(request.payload().toHex())
                .isEqualTo("%08x".formatted(region.stag()) + "0000000000001010" + "00000004" + "0000feed"
                        + "0000000000000099");
        assertThat(request.queue()).isEqualTo(1);
        assertThat(it.completions).isEmpty();
        it.peer(response(0x1010, false, "b1b2"));
        assertThat(it.completions).isEmpty();
        it.peer(response(0x1012, true, "b3b4"));
        assertThat(VerbsScene.content(region).slice(16, 4).toHex()).isEqualTo("b1b2b3b4");
        assertThat(it.completions).containsExactly(done(1, Kind.READ, Status.SUCCESS, 4));
    }

    private String response(long offset, boolean last, String octets) {
        return (last ? "c142" : "8142") + "%08x%016x".formatted(region.stag(), offset) + octets;
    }

    /** RFC 5040 §5.5: completions keep the order of the send queue, also behind a Read that is not answered. */
    @Test
    void aSendAfterAReadIsSentAtOnceAndCompletedAfterIt() {
        it.post(new WorkRequest.Read(1, Slices.of(region, 0, 1), new RemoteBuffer(9, 0)));
        it.post(new WorkRequest.Send(2, Slices.NONE));
        assertThat(it.heard()).extracting(DdpSegment::opcode).containsExactly(1, 3);
        assertThat(it.completions).isEmpty();
        it.peer(response(0x1000, true, "aa"));
        assertThat(it.completions).extracting(Completion::id).containsExactly(1L, 2L);
    }

    /** RFC 6581 §9.1: no more Reads than the ORD; what comes behind one that waits, waits. */
    @Test
    void aReadBeyondTheOrdWaits() {
        it.post(new WorkRequest.Read(1, Slices.of(region, 0, 1), new RemoteBuffer(9, 0)));
        it.post(new WorkRequest.Read(2, Slices.of(region, 1, 1), new RemoteBuffer(9, 0)));
        it.post(new WorkRequest.Send(3, Slices.NONE));
        assertThat(it.heard()).extracting(DdpSegment::opcode).containsExactly(1);
        assertThat(it.scene.qp.count(QpCounter.READS_HELD)).isEqualTo(1);
        it.peer(response(0x1000, true, "aa"));
        assertThat(it.heard()).extracting(DdpSegment::opcode).containsExactly(1, 3);
        it.peer(response(0x1001, true, "bb"));
        assertThat(it.completions).extracting(Completion::id).containsExactly(1L, 2L, 3L);
    }

    @Test
    void withoutAnOrdAReadFails() {
        Scene.Setup setup = Scene.Setup.responder();
        setup.ord = 0;
        VerbsScene none = VerbsScene.ready(setup);
        MemoryRegion sink = none.region(8, 0, Access.ALL);
        none.post(new WorkRequest.Read(1, Slices.of(sink), new RemoteBuffer(9, 0)));
        assertThat(none.completions).containsExactly(done(1, Kind.READ, Status.NO_READ_DEPTH, 0));
    }

    /** A Read of four octets into offset 0x1000; the Terminate, and that nothing was placed. */
    @ParameterizedTest
    @CsvSource({
        "1100, 1, 1000, true, aabbccdd", // Another STag than the sink's.
        "1101, 0, 1001, true, aabbcc", // Another offset.
        "1101, 0, 0fff, true, aabbccdd",
        "1101, 0, 1000, true, aabbccddee", // More than was asked for.
        "02ff, 0, 1000, true, aabb", // Last, and not all.
        "02ff, 0, 1000, false, aabbccdd", // All, and not last.
    })
    void anAnswerThatIsNotWhatWasAskedForIsRefused(String code, int key, String offset, boolean last, String octets) {
        Octets before = VerbsScene.content(region);
        it.post(new WorkRequest.Read(1, Slices.of(region, 0, 4), new RemoteBuffer(9, 0)));
        it.peer((last ? "c142" : "8142")
                + "%08x%016x".formatted(region.stag() ^ key, Long.parseLong(offset, 16))
                + octets);
        assertThat(it.terminate().slice(0, 2).toHex()).isEqualTo(code);
        assertThat(VerbsScene.content(region)).isEqualTo(before);
        assertThat(it.completions).containsExactly(done(1, Kind.READ, Status.FLUSHED, 0));
    }

    @Test
    void aLocalInvalidateTakesEffectInTheOrderOfPosting() {
        it.post(new WorkRequest.Write(1, Slices.of(region, 0, 1), new RemoteBuffer(9, 0)));
        it.post(new WorkRequest.Invalidate(2, region, true));
        assertThat(it.completions).extracting(Completion::status).containsOnly(Status.SUCCESS);
        assertThat(region.isValid()).isFalse();
        it.peer("c140" + "%08x".formatted(region.stag()) + "0000000000001000" + "aa");
        assertThat(it.terminate().slice(0, 2).toHex()).isEqualTo("1100");
    }

    /** RFC 5044 §7.1.2: the responder's first FPDU comes after the initiator's. */
    @Test
    void aResponderSaysNothingBeforeItHasHeardAnFpdu() {
        for (boolean peerToPeer : new boolean[] {true, false}) {
            Scene.Setup setup = Scene.Setup.responder();
            setup.peerToPeer = peerToPeer;
            VerbsScene early = new VerbsScene(setup);
            early.post(new WorkRequest.Send(1, Slices.NONE));
            assertThat(early.heard()).isEmpty();
            assertThat(early.completions).isEmpty();
            early.peer("c140 00000001 0000000000000000");
            assertThat(early.heard()).extracting(DdpSegment::opcode).containsExactly(3);
            assertThat(early.completions).hasSize(1);
        }
    }

    /** RFC 6581 §9.2: the RTR is the first FPDU whatever was posted before. */
    @Test
    void anInitiatorsRtrGoesFirst() {
        VerbsScene initiator = new VerbsScene(Scene.Setup.initiator(Rtr.WRITE));
        initiator.post(new WorkRequest.Send(1, Slices.NONE));
        assertThat(initiator.heard()).extracting(DdpSegment::opcode).containsExactly(0, 3);
        assertThat(initiator.completions).hasSize(1);
    }

    @Test
    void aCloseLetsWhatWasPostedGoFirst() {
        it.post(new WorkRequest.Read(1, Slices.of(region, 0, 1), new RemoteBuffer(9, 0)));
        it.post(new WorkRequest.Read(2, Slices.of(region, 1, 1), new RemoteBuffer(9, 0)));
        it.heard();
        it.scene.qp.close(it.scene.nowNs, it.scene.recorded);
        it.post(new WorkRequest.Send(3, Slices.NONE));
        assertThat(it.heard()).isEmpty();
        it.peer(response(0x1000, true, "aa"));
        it.peer(response(0x1001, true, "bb"));
        assertThat(it.heard()).extracting(DdpSegment::opcode).endsWith(3);
        it.fin();
        assertThat(it.scene.codes()).contains(Code.LLP_CLOSE_COMPLETE).doesNotContain(Code.BAD_CLOSE);
        assertThat(it.completions).extracting(Completion::status).containsOnly(Status.SUCCESS);
    }

    @Test
    void aFinBeforeTheAnswerToAReadIsABadClose() {
        it.post(new WorkRequest.Read(1, Slices.of(region, 0, 1), new RemoteBuffer(9, 0)));
        it.fin();
        assertThat(it.scene.codes()).contains(Code.BAD_CLOSE);
        assertThat(it.completions).containsExactly(done(1, Kind.READ, Status.FLUSHED, 0));
    }

    /** RFC 5040 §4.8: the peer's Terminate shows which Read it would not allow. */
    @Test
    void aReadThatThePeerRefusesIsToldApart() {
        Scene.Setup setup = Scene.Setup.responder();
        setup.ord = 4;
        VerbsScene deep = VerbsScene.ready(setup);
        MemoryRegion sink = deep.region(8, 0, Access.ALL);
        for (int id = 1; id <= 3; id++) {
            deep.post(new WorkRequest.Read(id, Slices.of(sink, id, 1), new RemoteBuffer(9, 0)));
        }
        DdpSegment second = deep.heard().get(1);
        deep.peer("4147 00000000 00000002 00000001 00000000" + "0102e000" + "002e"
                + second.octets().toHex());
        assertThat(deep.completions)
                .extracting(Completion::status)
                .containsExactly(Status.FLUSHED, Status.REMOTE_ACCESS, Status.FLUSHED);
        assertThat(deep.scene.codes()).contains(Code.LLP_TERMINATE_RECEIVED);
    }

    /** Answers to the peer's Reads and our own messages take turns, message by message. */
    @Test
    void answersAndWorkTakeTurns() {
        Scene.Setup setup = Scene.Setup.responder();
        setup.ird = 8;
        setup.params = new QpParams(
                QpParams.Tcp.DEFAULT.with(new QpParams.Buffers(1400, 256 << 10)), 1_000_000_000, 1_000_000_000);
        VerbsScene busy = VerbsScene.ready(setup);
        MemoryRegion source = busy.region(1000, 0, Access.ALL);
        busy.post(new WorkRequest.Send(1, Slices.of(source))); // Fills TCP's room.
        for (int msn = 1; msn <= 2; msn++) {
            busy.post(new WorkRequest.Send(1 + msn, Slices.of(source)));
            busy.peerUnacknowledged("4141 00000000 00000001 %08x 00000000 00000001 0000000000000000".formatted(msn)
                    + "000003e8" + "%08x".formatted(source.stag()) + "0000000000000000");
        }
        assertThat(busy.heard())
                .extracting(DdpSegment::opcode)
                .as("the second Send was taken up before the Reads came")
                .containsExactly(3, 3, 2, 3, 2);
    }
}
