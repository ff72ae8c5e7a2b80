package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.memory.Access;
import io.iwcm.nic.memory.MemoryRegion;
import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.memory.Slices;
import io.iwcm.nic.spi.AsyncEvent.Code;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.verbs.Completion;
import io.iwcm.nic.verbs.Completion.Kind;
import io.iwcm.nic.verbs.Completion.Status;
import io.iwcm.nic.verbs.WorkRequest;
import io.iwcm.nic.wire.Octets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a peer's messages do to memory, and what they cannot do (RFC 5040 §5, RFC 5041 §5). */
class PlacementTest {

    private static final String READ_QUEUE = "00000001";
    private final VerbsScene it = VerbsScene.ready(Scene.Setup.responder());

    private static String hex(int value) {
        return "%08x".formatted(value);
    }

    private static String hex(long value) {
        return "%016x".formatted(value);
    }

    private static String write(int stag, long offset, String payload) {
        return "c140" + hex(stag) + hex(offset) + payload;
    }

    private static String send(int opcode, boolean last, int invalidates, int msn, int offset, String payload) {
        return (last ? "41" : "01")
                + "%02x".formatted(0x40 | opcode)
                + hex(invalidates)
                + hex(0)
                + hex(msn)
                + hex(offset)
                + payload;
    }

    private static String readRequest(int msn, int length, int stag, long offset) {
        return "4141" + hex(0) + READ_QUEUE + hex(msn) + hex(0) + "00c0ffee" + hex(0x77000L) + hex(length) + hex(stag)
                + hex(offset);
    }

    private void assertTerminated(TermCode code, Octets culprit, boolean readHeader) {
        Octets message = it.terminate();
        assertThat(message.at(0)).isEqualTo(code.layer() << 4 | code.type());
        assertThat(message.at(1)).isEqualTo(code.code());
        assertThat(message.at(2)).isEqualTo(readHeader ? 0xe0 : 0xc0);
        assertThat(message.shortAt(4)).isEqualTo(culprit.length());
        int shown = readHeader ? 46 : culprit.at(0) >= 0x80 ? 14 : 18;
        assertThat(message.from(6)).isEqualTo(culprit.slice(0, shown));
        assertThat(it.scene.codes()).contains(Code.TERMINATE_SENT);
        assertThat(it.scene.qp.count(QpCounter.DDP_REFUSED)).isEqualTo(1);
        assertThat(it.scene.qp.count(Terminate.counterOf(code))).isEqualTo(1);
    }

    @Test
    void aWriteIsPlacedWhereItSaysAndNowhereElse() {
        MemoryRegion region = it.region(8, 0x1000, Access.REMOTE_WRITE);
        it.peer("8140" + hex(region.stag()) + hex(0x1002L) + "a1a2a3");
        it.peer(write(region.stag(), 0x1005, "a4"));
        assertThat(VerbsScene.content(region)).isEqualTo(Octets.ofHex("0000a1a2a3a40000"));
        assertThat(it.completions).as("nobody is told of a Write").isEmpty();
        assertThat(it.heard()).isEmpty();
        assertThat(it.scene.codes()).isEmpty();
    }

    /** RFC 5041 §5.2, RFC 5040 §4.8: the Terminate that says which rule was broken, and not one octet. */
    @ParameterizedTest
    @CsvSource({
        "1, 0, 1000, 110000",
        "0, 100, 1000, 110000", // A wrong key, a wrong index.
        "0, 0, 0fff, 110100",
        "0, 0, 1006, 110100",
        "0, 0, 1008, 110100",
        "0, 0, 0, 110100",
        "0, 0, fffffffffffffffe, 110300",
    })
    void aWriteOutsideARegionPlacesNothing(int key, String index, String offset, String code) {
        MemoryRegion region = it.region(8, 0x1000, Access.ALL);
        int stag = (region.stag() ^ key) + Integer.parseInt(index, 16);
        Octets ulpdu = Octets.ofHex(write(stag, Long.parseUnsignedLong(offset, 16), "a1a2a3"));
        it.peer(ulpdu);
        assertTerminated(code(code), ulpdu, false);
        assertThat(VerbsScene.content(region)).isEqualTo(Octets.wrap(new byte[8]));
    }

    private static TermCode code(String hex) {
        Octets octets = Octets.ofHex(hex);
        return new TermCode(octets.at(0) >>> 4, octets.at(0) & 15, octets.at(1));
    }

    @Test
    void aWriteNeedsTheRightAndTheDomain() {
        MemoryRegion readOnly = it.region(8, 0, Access.REMOTE_READ);
        Octets ulpdu = Octets.ofHex(write(readOnly.stag(), 0, "aa"));
        it.peer(ulpdu);
        assertTerminated(Terminate.ACCESS_RIGHTS, ulpdu, false);
        assertThat(VerbsScene.content(readOnly)).isEqualTo(Octets.wrap(new byte[8]));
    }

    @Test
    void aRegionOfAnotherDomainIsNotReached() {
        MemoryRegion theirs = it.region(new ProtectionDomain("another"), 8, 0, Access.ALL);
        Octets ulpdu = Octets.ofHex(write(theirs.stag(), 0, "aa"));
        it.peer(ulpdu);
        assertTerminated(Terminate.TAGGED_NOT_ASSOCIATED, ulpdu, false);
        assertThat(VerbsScene.content(theirs)).isEqualTo(Octets.wrap(new byte[8]));
    }

    /** RFC 5040 §5.2.1: judged before anything is answered; RDMAP's header is shown as well. */
    @ParameterizedTest
    @CsvSource({
        "1, 1000, 8, 010000",
        "0, 1000, 9, 010100",
        "0, 0fff, 1, 010100",
        "0, 1008, 1, 010100",
        "0, ffffffffffffffff, 2, 010400",
        "0, 1000, -1, 010100",
    })
    void aReadOutsideARegionIsAnsweredWithNothing(int key, String offset, int length, String code) {
        MemoryRegion region = it.region(8, 0x1000, Access.ALL);
        Octets ulpdu = Octets.ofHex(readRequest(1, length, region.stag() ^ key, Long.parseUnsignedLong(offset, 16)));
        it.peer(ulpdu);
        assertTerminated(code(code), ulpdu, true);
    }

    @Test
    void aReadNeedsTheRight() {
        MemoryRegion writeOnly = it.region(8, 0, Access.REMOTE_WRITE);
        Octets ulpdu = Octets.ofHex(readRequest(1, 1, writeOnly.stag(), 0));
        it.peer(ulpdu);
        assertTerminated(Terminate.ACCESS_RIGHTS, ulpdu, true);
    }

    @Test
    void aReadNeedsTheDomain() {
        MemoryRegion theirs = it.region(new ProtectionDomain("another"), 8, 0, Access.ALL);
        Octets ulpdu = Octets.ofHex(readRequest(1, 1, theirs.stag(), 0));
        it.peer(ulpdu);
        assertTerminated(Terminate.READ_NOT_ASSOCIATED, ulpdu, true);
    }

    /** RFC 5040 §5.2.2: the answer is tagged with the sink that the request names, in segments that fit. */
    @Test
    void aReadIsAnsweredFromMemoryInSegments() {
        MemoryRegion region = it.region(4000, 0x1000, Access.REMOTE_READ);
        byte[] content = new byte[4000];
        new java.util.Random(3).nextBytes(content);
        VerbsScene.fill(region, Octets.wrap(content));
        it.peer(readRequest(1, 3000, region.stag(), 0x1000 + 500));

        List<DdpSegment> answer = it.heard();
        assertThat(answer).hasSize(3);
        Octets got = Octets.EMPTY;
        for (DdpSegment segment : answer) {
            assertThat(segment.opcode()).isEqualTo(DdpSegment.READ_RESPONSE);
            assertThat(segment.stag()).isEqualTo(0x00c0ffee);
            assertThat(segment.taggedOffset()).isEqualTo(0x77000L + got.length());
            got = got.concat(segment.payload());
            assertThat(segment.last()).isEqualTo(got.length() == 3000);
        }
        assertThat(got).isEqualTo(Octets.wrap(content, 500, 3000));
        assertThat(it.scene.qp.count(QpCounter.ANSWERED_READS)).isEqualTo(1);
    }

    @Test
    void memoryThatIsDeregisteredUnderAnAnswerEndsIt() {
        Scene.Setup setup = Scene.Setup.responder();
        setup.window = 3000;
        setup.maxWindow = 3000;
        setup.params = new QpParams(
                QpParams.Tcp.DEFAULT.with(new QpParams.Buffers(3000, 256 << 10)), 1_000_000_000, 1_000_000_000);
        VerbsScene small = VerbsScene.ready(setup);
        MemoryRegion region = small.region(20_000, 0, Access.ALL);
        Octets request = Octets.ofHex(readRequest(1, 20_000, region.stag(), 0));
        small.peer(request);
        small.regions.deregister(region);
        Octets message = small.terminate();
        assertThat(message.slice(0, 4).toHex()).isEqualTo("0100e000");
        assertThat(message.from(6)).isEqualTo(request);
    }

    /** RFC 5041 §5.3, RFC 5040 §5.3: placed part by part, told once, when all of it is there. */
    @Test
    void aSendInSegmentsIsOneCompletion() {
        MemoryRegion region = it.region(8, 0, Access.LOCAL_WRITE);
        it.receive(11, region, 1, 6);
        it.peer(send(3, false, 0, 1, 0, "a1a2"));
        it.peer(send(3, false, 0, 1, 2, ""));
        assertThat(it.completions).isEmpty();
        assertThat(VerbsScene.content(region)).isEqualTo(Octets.ofHex("00a1a20000000000"));
        it.peer(send(3, true, 0, 1, 2, "a3a4"));
        assertThat(it.completions).containsExactly(received(11, Status.SUCCESS, 4, false, Optional.empty()));
        assertThat(VerbsScene.content(region)).isEqualTo(Octets.ofHex("00a1a2a3a4000000"));
    }

    private Completion received(long id, Status status, long length, boolean solicited, Optional<Integer> invalidated) {
        return new Completion(it.scene.qp.id(), id, Kind.RECEIVE, status, length, solicited, invalidated);
    }

    @Test
    void receivesAreUsedInTheOrderOfPostingAndAnEmptySendUsesOneToo() {
        MemoryRegion region = it.region(8, 0, Access.LOCAL_WRITE);
        it.receive(1, region, 0, 2).receive(2, region, 2, 0).receive(3, region, 2, 2);
        it.peer(send(3, true, 0, 1, 0, "a1"));
        it.peer(send(3, true, 0, 2, 0, ""));
        it.peer(send(5, true, 0, 3, 0, "a3a4"));
        assertThat(it.completions)
                .containsExactly(
                        received(1, Status.SUCCESS, 1, false, Optional.empty()),
                        received(2, Status.SUCCESS, 0, false, Optional.empty()),
                        received(3, Status.SUCCESS, 2, true, Optional.empty()));
        Octets fourth = Octets.ofHex(send(3, true, 0, 4, 0, "aa"));
        it.peer(fourth);
        assertTerminated(Terminate.NO_BUFFER, fourth, false);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void aSendMayInvalidate(int opcode) {
        MemoryRegion region = it.region(8, 0, Access.ALL);
        MemoryRegion other = it.region(8, 0, Access.LOCAL_WRITE);
        it.receive(1, other, 0, 8);
        it.peer(send(opcode, false, region.stag(), 1, 0, "aa"));
        assertThat(region.isValid()).as("only with its last segment").isTrue();
        it.peer(send(opcode, true, region.stag(), 1, 1, "bb"));
        assertThat(region.isValid()).isFalse();
        assertThat(it.completions)
                .containsExactly(received(1, Status.SUCCESS, 2, opcode == 6, Optional.of(region.stag())));
        Octets write = Octets.ofHex(write(region.stag(), 0, "cc"));
        it.peer(write);
        assertTerminated(Terminate.TAGGED_INVALID_STAG, write, false);
        assertThat(VerbsScene.content(region)).isEqualTo(Octets.wrap(new byte[8]));
    }

    @Test
    void whatCannotBeInvalidatedIsSaidAndTheMessageNotTold() {
        MemoryRegion region = it.region(8, 0, Access.LOCAL_WRITE);
        MemoryRegion theirs = it.region(new ProtectionDomain("another"), 8, 0, Access.ALL);
        it.receive(1, region, 0, 8);
        Octets ulpdu = Octets.ofHex(send(4, true, theirs.stag(), 1, 0, "aa"));
        it.peer(ulpdu);
        assertTerminated(Terminate.CANNOT_INVALIDATE, ulpdu, false);
        assertThat(theirs.isValid()).isTrue();
        assertThat(it.completions).containsExactly(received(1, Status.FLUSHED, 0, false, Optional.empty()));
    }

    /** Each after a first segment of two octets into a receive of four (RFC 5041 §7.1). */
    @ParameterizedTest
    @CsvSource({
        "1203, 3, 2, 2, aa", // The next message before this one ends.
        "1203, 3, 0, 2, aa",
        "1204, 3, 1, 1, aa", // Again, or with a gap.
        "1204, 3, 1, 3, aa",
        "1204, 3, 1, 0, aa",
        "0206, 5, 1, 2, aa", // Another kind of Send in between.
        "1205, 3, 1, 2, aabbcc", // Longer than its memory.
    })
    void aSegmentThatDoesNotGoOnWithItsMessageIsRefused(String code, int opcode, int msn, int offset, String octets) {
        MemoryRegion region = it.region(8, 0, Access.LOCAL_WRITE);
        it.receive(1, region, 0, 4).receive(2, region, 4, 4);
        it.peer(send(3, false, 0, 1, 0, "a1a2"));
        Octets ulpdu = Octets.ofHex(send(opcode, true, 0, msn, offset, octets));
        it.peer(ulpdu);
        assertTerminated(code(code + "00"), ulpdu, false);
        assertThat(VerbsScene.content(region)).isEqualTo(Octets.ofHex("a1a2000000000000"));
        Status first = code.equals("1205") ? Status.LOCAL_LENGTH : Status.FLUSHED;
        assertThat(it.completions)
                .containsExactly(
                        received(1, first, 0, false, Optional.empty()),
                        received(2, Status.FLUSHED, 0, false, Optional.empty()));
    }

    /** RFC 5044 §4.4: an FPDU with a wrong CRC is delivered to nobody. */
    @Test
    void aWrongCrcNeverDelivers() {
        MemoryRegion region = it.region(64, 0, Access.ALL);
        it.receive(1, region, 0, 64);
        for (String ulpdu : List.of(write(region.stag(), 0, "aa"), send(3, true, 0, 1, 0, "aa"))) {
            VerbsScene fresh = VerbsScene.ready(Scene.Setup.responder());
            MemoryRegion target = fresh.region(64, 0, Access.ALL);
            fresh.receive(1, target, 0, 64);
            FpduWriter writer = new FpduWriter(false, true, 1460);
            byte[] fpdu = writer.frame(Octets.ofHex(ulpdu)).toBytes();
            fpdu[fpdu.length - 1] ^= 1;
            fresh.peerRaw(Octets.wrap(fpdu));
            assertThat(VerbsScene.content(target)).isEqualTo(Octets.wrap(new byte[64]));
            assertThat(fresh.completions).containsExactly(received(1, Status.FLUSHED, 0, false, Optional.empty()));
            assertThat(fresh.scene.qp.count(QpCounter.FPDU_BAD_CRC)).isEqualTo(1);
            assertThat(fresh.terminate().toHex()).isEqualTo("20020000");
        }
    }

    /** RFC 6581 §9.1: as many as were negotiated; an answer that is acknowledged makes room for the next. */
    @Test
    void readsBeyondTheIrdAreRefused() {
        Scene.Setup setup = Scene.Setup.responder();
        setup.ird = 3;
        setup.window = 100;
        VerbsScene slow = new VerbsScene(setup);
        slow.peer("c140 00000001 0000000000000000");
        MemoryRegion region = slow.region(5000, 0, Access.ALL);
        Octets all = Octets.EMPTY;
        FpduWriter writer = new FpduWriter(false, true, 1460);
        writer.frame(Octets.ofHex("c140 00000001 0000000000000000"));
        for (int msn = 1; msn <= 4; msn++) {
            all = all.concat(writer.frame(Octets.ofHex(readRequest(msn, 5000, region.stag(), 0))));
        }
        slow.peerRaw(all);
        assertThat(slow.scene.qp.count(QpCounter.REFUSED_NO_BUFFER)).isEqualTo(1);
    }

    @Test
    void everythingPostedIsFlushedInOrderWhenTheConnectionEnds() {
        MemoryRegion region = it.region(8, 0, Access.ALL);
        it.receive(1, region, 0, 1).receive(2, region, 1, 1);
        it.scene.qp.abort(it.scene.nowNs, it.scene.recorded);
        it.receive(3, region, 2, 1);
        it.post(new WorkRequest.Send(4, Slices.of(region)));
        assertThat(it.completions).extracting(Completion::id).containsExactly(1L, 2L, 3L, 4L);
        assertThat(it.completions).extracting(Completion::status).containsOnly(Status.FLUSHED);
    }

    /** RFC 5041 §5.4: a FIN in the middle of a message is no orderly end. */
    @Test
    void aFinInsideAMessageIsABadClose() {
        MemoryRegion region = it.region(8, 0, Access.ALL);
        it.receive(1, region, 0, 8);
        it.peer(send(3, false, 0, 1, 0, "aa"));
        it.scene.codes();
        it.fin();
        assertThat(it.scene.codes()).contains(Code.BAD_CLOSE);
        assertThat(it.completions).containsExactly(received(1, Status.FLUSHED, 0, false, Optional.empty()));
    }
}
