package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.AsyncEvent.Code;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The first FPDUs of a connection: RTR in its three forms, its answer, and what is refused (FC-07, FC-63). */
class RdmaModeTest {

    private final FpduWriter peer = new FpduWriter(false, true, 1460);

    private Octets fpdu(String ulpduHex) {
        return peer.frame(Octets.ofHex(ulpduHex));
    }

    @ParameterizedTest
    @CsvSource({
        "SEND, 0012 4143 00000000 00000000 00000001 00000000",
        "WRITE, 000e c140 00000001 0000000000000000",
        "READ, 002e 4141 00000000 00000001 00000001 00000000"
                + " 00000001 0000000000000000 00000000 00000001 0000000000000000",
    })
    void theInitiatorSendsItsRtrFirst(Rtr form, String hex) {
        Scene scene = Scene.Setup.initiator(form).takeOver();
        Octets body = Octets.ofHex(hex);

        assertThat(scene.recorded.segments)
                .singleElement()
                .satisfies(segment ->
                        assertThat(segment.payload().slice(0, body.length())).isEqualTo(body));
        assertThat(scene.codes()).containsExactly(Code.LLP_CONNECTION_ESTABLISHED);
        assertThat(scene.sent()).hasSize(1);
        assertThat(scene.pass(1000).sent()).as("kept alive like any data").hasSize(1);
    }

    @Test
    void withoutThePeerToPeerModelNobodySpeaksFirst() {
        Scene.Setup initiator = Scene.Setup.initiator(Rtr.READ);
        initiator.peerToPeer = false;
        initiator.rtr = Optional.empty();
        assertThat(initiator.takeOver().sent()).isEmpty();

        Scene.Setup responder = Scene.Setup.responder();
        responder.peerToPeer = false;
        responder.rtr = Optional.empty();
        Scene scene = responder.takeOver();
        scene.peerData(0, 24, fpdu("c140 00000001 0000000000000000"));
        assertThat(scene.pass(100).sent()).containsExactly("PA 0(24) ack 0", "A 24(0) ack 20");
        assertThat(scene.codes()).containsExactly(Code.LLP_CONNECTION_ESTABLISHED, Code.LSMM_ACKNOWLEDGED);
    }

    @ParameterizedTest
    @EnumSource(Rtr.class)
    void anRtrOfAnyFormIsReceivedByAResponderWithAnyWish(Rtr form) {
        for (Rtr wish : Rtr.values()) {
            Scene.Setup setup = Scene.Setup.responder();
            setup.rtr = Optional.of(wish);
            Scene scene = setup.takeOver();
            Octets rtr = Scene.Setup.initiator(form)
                    .takeOver()
                    .recorded
                    .segments
                    .getFirst()
                    .payload();

            scene.peerData(0, 24, rtr.slice(0, 11));
            assertThat(scene.codes()).containsExactly(Code.LLP_CONNECTION_ESTABLISHED, Code.LSMM_ACKNOWLEDGED);
            scene.peerData(11, 24, rtr.from(11));
            assertThat(scene.codes()).containsExactly(Code.RTR_RECEIVED);
            scene.pass(1000);
            assertThat(scene.qp.ended()).isFalse();
        }
    }

    @Test
    void aZeroLengthReadIsAnsweredAtTheSinkItNames() {
        Scene scene = Scene.Setup.responder().takeOver();
        scene.peerAck(0, 24);
        scene.sent();
        scene.peerData(
                0,
                24,
                fpdu("4141 00000000 00000001 00000001 00000000"
                        + "deadbeef 0123456789abcdef 00000000 00000000 ffffffffffffffff"));

        assertThat(scene.recorded.segments)
                .singleElement()
                .satisfies(segment -> assertThat(segment.payload().slice(0, 16).toHex())
                        .isEqualTo("000e" + "c142" + "deadbeef" + "0123456789abcdef"));
        assertThat(scene.sent()).as("the acknowledgement rides on it").containsExactly("PA 24(20) ack 52");
    }

    @Test
    void theInitiatorTakesTheAnswerToItsReadOnce() {
        Scene scene = Scene.Setup.initiator(Rtr.READ).takeOver();
        Octets answer = fpdu("c142 00000001 0000000000000000");
        scene.peerData(0, 52, answer).pass(100);
        assertThat(scene.codes()).containsExactly(Code.LLP_CONNECTION_ESTABLISHED);
        scene.peerData(20, 52, answer);
        assertThat(scene.recorded.events.getFirst().terminate()).contains(Terminate.UNEXPECTED_OPCODE);
    }

    @ParameterizedTest
    @EnumSource(Rtr.class)
    void bothEndsReachRdmaMode(Rtr form) {
        Scene initiator = Scene.Setup.initiator(form).takeOver();
        Scene responder = Scene.Setup.responder().takeOver();
        responder.peerData(0, 24, initiator.recorded.takeSegments().getFirst().payload());
        responder.pass(100);
        assertThat(responder.codes()).contains(Code.RTR_RECEIVED);
        for (Segment segment : responder.recorded.takeSegments()) {
            if (segment.seq().value() == 1024 && !segment.payload().isEmpty()) {
                initiator.peerData(0, 52, segment.payload());
            }
        }
        assertThat(initiator.codes()).containsExactly(Code.LLP_CONNECTION_ESTABLISHED);
        assertThat(initiator.qp.count(QpCounter.FPDU)).isEqualTo(form == Rtr.READ ? 1 : 0);
    }

    @Test
    void openReadsAreLimitedByTheIrd() {
        Scene.Setup setup = Scene.Setup.responder();
        setup.ird = 2;
        Scene scene = setup.takeOver();
        for (int msn = 1; msn <= 3; msn++) {
            scene.peerData(52 * (msn - 1), 24, readRequest(msn, 0));
        }
        assertThat(scene.recorded.events)
                .last()
                .satisfies(event -> assertThat(event.terminate()).contains(Terminate.NO_BUFFER));

        peerStartsAgain();
        Scene patient = setup.takeOver();
        for (int msn = 1; msn <= 100; msn++) { // Each acknowledges the answer before.
            patient.peerData(52 * (msn - 1), 24 + 20 * (msn - 1), readRequest(msn, 0));
        }
        assertThat(patient.codes()).doesNotContain(Code.TERMINATE_SENT);
    }

    private FpduWriter again = peer;

    private void peerStartsAgain() {
        again = new FpduWriter(false, true, 1460);
    }

    private Octets readRequest(int msn, int size) {
        return again.frame(Octets.ofHex("4141 00000000 00000001 %08x 00000000".formatted(msn)
                + "00000001 0000000000000000 %08x 00000001 0000000000000000".formatted(size)));
    }

    /** Each after a good RTR; the Terminate's first octets, then what it shows of the culprit. */
    @ParameterizedTest
    @CsvSource({
        // Send with payload, and without: no buffer.
        "1202 c0 00, 4143 00000000 00000000 00000001 00000000 aabb",
        "1202 c0 00, 4143 00000000 00000000 00000001 00000000",
        // Send: MSN, message offset, invalidating.
        "1203 c0 00, 4143 00000000 00000000 00000002 00000000",
        "1204 c0 00, 4143 00000000 00000000 00000001 00000004",
        "1202 c0 00, 4144 00000001 00000000 00000001 00000000",
        // Write with payload: no such STag.
        "1100 c0 00, c140 00000001 0000000000000000 aa",
        // Read Response never asked for; tagged Send; Terminate on another queue; Write untagged; Send on queue 1.
        "0206 c0 00, c142 00000001 0000000000000000",
        "0206 c0 00, c143 00000001 0000000000000000",
        "0206 c0 00, 4147 00000000 00000000 00000001 00000000 20050000",
        "0206 c0 00, 4143 00000000 00000001 00000001 00000000",
        "0206 c0 00, 4143 00000000 00000002 00000001 00000000",
        // Queue 3 and queue 2^31.
        "1201 c0 00, 4143 00000000 00000003 00000001 00000000",
        "1201 c0 00, 4143 00000000 80000000 00000001 00000000",
        // Versions of DDP and RDMAP.
        "1104 c0 00, c240 00000001 0000000000000000",
        "1206 c0 00, 4043 00000000 00000000 00000001 00000000",
        "0205 c0 00, 4183 00000000 00000000 00000001 00000000",
        // Read Request: cut short, too long, not last, wrong MSN.
        "02ff c0 00, 4141 00000000 00000001 00000001 00000000 00000001",
        "1205 c0 00, 4141 00000000 00000001 00000001 00000000 00000001 0000000000000000 00000000 00000001"
                + " 0000000000000000 00",
        "02ff c0 00, 0141 00000000 00000001 00000001 00000000 00000001 0000000000000000 00000000 00000001"
                + " 0000000000000000",
        "1203 c0 00, 4141 00000000 00000001 00000002 00000000 00000001 0000000000000000 00000000 00000001"
                + " 0000000000000000",
        // Read of one octet: no such STag, and RDMAP's header is shown too.
        "0100 e0 00, 4141 00000000 00000001 00000001 00000000 00000001 0000000000000000 00000001 00000001"
                + " 0000000000000000",
        // No header at all.
        "1000 00 00, ''",
        "1000 00 00, 4143",
        "1000 00 00, 4143 00000000 00000000 00000001 000000",
    })
    void refusesWithTheCodeThatSaysWhy(String terminate, String ulpduHex) {
        Octets ulpdu = Octets.ofHex(ulpduHex);
        Octets control = Octets.ofHex(terminate);
        Scene scene = Scene.Setup.responder().takeOver();
        scene.peerData(0, 24, fpdu("c140 00000001 0000000000000000")).pass(100);
        scene.sent();
        scene.codes();

        scene.peerData(20, 24, peer.frame(ulpdu));

        assertThat(scene.codes()).containsExactly(Code.TERMINATE_SENT);
        Octets message = scene.recorded.segments.getFirst().payload().from(20);
        assertThat(message.slice(0, 4)).isEqualTo(control);
        if (control.at(2) != 0) {
            int shown = control.at(2) == 0xe0 ? 46 : ulpdu.at(0) >= 0x80 ? 14 : 18;
            assertThat(message.shortAt(4)).isEqualTo(ulpdu.length());
            assertThat(message.slice(6, shown)).isEqualTo(ulpdu.slice(0, shown));
        }
        assertThat(scene.sent())
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("FPA 24("));
        assertThat(scene.qp.count(QpCounter.DDP_REFUSED)).isEqualTo(1);
    }

    @Test
    void aTerminateInsteadOfTheRtrIsNoRtr() {
        Scene scene = Scene.Setup.responder().takeOver();
        scene.peerData(0, 24, fpdu("4147 00000000 00000002 00000001 00000000 20060000"));
        assertThat(scene.recorded.events)
                .last()
                .satisfies(event -> assertThat(event.terminate()).contains(TermCode.MPA_INSUFFICIENT_IRD));
        assertThat(scene.codes())
                .containsExactly(Code.LLP_CONNECTION_ESTABLISHED, Code.LSMM_ACKNOWLEDGED, Code.LLP_TERMINATE_RECEIVED);
    }

    @Test
    void aTerminateAfterTheRtrIsReadAsRfc5040HasIt() {
        Scene scene = Scene.Setup.responder().takeOver();
        scene.peerData(0, 24, fpdu("c140 00000001 0000000000000000"));
        scene.peerData(20, 24, fpdu("4147 00000000 00000002 00000001 00000000 02060000"));
        assertThat(scene.recorded.events)
                .last()
                .satisfies(event -> assertThat(event.terminate()).contains(Terminate.UNEXPECTED_OPCODE));
    }

    @Test
    void aReadThatCrossesOurFinGetsNoAnswer() {
        Scene scene = Scene.Setup.responder().takeOver();
        scene.qp.close(scene.nowNs, scene.recorded);
        scene.sent();
        scene.peerData(0, 25, readRequest(1, 0));
        assertThat(scene.pass(100).sent()).containsExactly("A 25(0) ack 52");
        assertThat(scene.qp.ended()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        // As RFC 5040 writes it.
        "2005, false, 2, 0, 5",
        "2002, true, 2, 0, 2",
        "0100, false, 0, 1, 0",
        "1202, false, 1, 2, 2",
        "0206, false, 0, 2, 6",
        "02ff, false, 0, 2, 255",
        "0000, false, 0, 0, 0",
        // As siw does, where nothing else can be meant.
        "0202, false, 2, 0, 2",
        "0203, false, 2, 0, 3",
        "0204, false, 2, 0, 4",
        "2102, false, 1, 2, 2",
        "1001, false, 0, 1, 1",
        "20ff, false, 0, 2, 255",
        // As siw's initiator does instead of an RTR.
        "0205, true, 2, 0, 5",
        "0206, true, 2, 0, 6",
        "0207, true, 2, 0, 7",
        "0208, true, 0, 2, 8",
        // What nobody means, as it stands.
        "f3ee, false, 15, 3, 238",
        "20, false, 0, 2, 255",
    })
    void readsLayerAndTypeInEitherNibble(String hex, boolean insteadOfRtr, int layer, int type, int code) {
        assertThat(Terminate.read(Octets.ofHex(hex), insteadOfRtr)).isEqualTo(new TermCode(layer, type, code));
    }

    @Test
    void earlyOctetsAreTheBeginningOfTheStream() {
        Octets rtr = fpdu("c140 00000001 0000000000000000");
        Scene.Setup setup = Scene.Setup.responder();
        setup.early = rtr.slice(0, 7);
        Scene scene = setup.takeOver();
        assertThat(scene.codes()).containsExactly(Code.LLP_CONNECTION_ESTABLISHED);
        scene.peerData(0, 24, rtr.from(7));
        assertThat(scene.codes()).containsExactly(Code.LSMM_ACKNOWLEDGED, Code.RTR_RECEIVED);
    }

    /** FC-63: each direction by its own flag, counted from the first FPDU, whatever was sent before it. */
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void markersAreCountedFromTheFirstFpduOfEachDirection(boolean toPeer, boolean toUs) {
        Scene.Setup setup = Scene.Setup.responder();
        setup.sendMarkers = toPeer;
        setup.receiveMarkers = toUs;
        setup.lsmm = Scene.LSMM.concat(Octets.wrap(new byte[37])); // A reply with private data moves the origin.
        setup.ird = 100;
        Scene scene = setup.takeOver();
        scene.sent();
        FpduWriter marked = new FpduWriter(toUs, true, 1460);
        FpduReader answers = new FpduReader(toPeer, true);
        int seq = 0;
        for (int msn = 1; msn <= 60; msn++) {
            Octets request = marked.frame(readRequestUlpdu(msn));
            scene.peerData(seq, 61, request);
            seq += request.length();
            for (Segment segment : scene.recorded.takeSegments()) {
                answers.feed(segment.payload());
            }
            assertThat(answers.next()).isInstanceOf(FpduReader.Fpdu.class);
        }
        assertThat(scene.qp.count(QpCounter.FPDU)).isEqualTo(60);
        assertThat(answers.insideFpdu()).isFalse();
    }

    private static Octets readRequestUlpdu(int msn) {
        return Octets.ofHex("4141 00000000 00000001 %08x 00000000".formatted(msn)
                + "00000001 0000000000000000 00000000 00000001 0000000000000000");
    }

    @Test
    void aMarkerThatPointsElsewhereIsToldAndTerminated() {
        Scene.Setup setup = Scene.Setup.responder();
        setup.receiveMarkers = true;
        setup.crc = false;
        Scene scene = setup.takeOver();
        FpduWriter marked = new FpduWriter(true, false, 1460);
        Octets first = marked.frame(
                DdpSegment.tagged(DdpSegment.WRITE, 0, 0, Octets.EMPTY).octets());
        byte[] second = marked.frame(Octets.wrap(new byte[600])).toBytes();
        second[512 - first.length() + 3] ^= 8;
        scene.peerData(0, 24, first.concat(Octets.wrap(second)));
        assertThat(scene.codes()).endsWith(Code.RTR_RECEIVED, Code.MPA_MARKER_ERROR, Code.TERMINATE_SENT);
        assertThat(scene.recorded.segments.getLast().payload().slice(20, 4).toHex())
                .isEqualTo("20030000");
    }

    /** FC-07: with an IRD of 0 the one zero-length Read of the RTR still fits. */
    @Test
    void aReadRtrFitsEvenWithoutIrd() {
        Scene.Setup setup = Scene.Setup.responder();
        setup.ird = 0;
        Scene scene = setup.takeOver();
        scene.peerData(0, 24, readRequest(1, 0));
        assertThat(scene.codes())
                .containsExactly(Code.LLP_CONNECTION_ESTABLISHED, Code.LSMM_ACKNOWLEDGED, Code.RTR_RECEIVED);
        assertThat(scene.sent()).containsExactly("PA 0(24) ack 0", "PA 24(20) ack 52");
    }
}
