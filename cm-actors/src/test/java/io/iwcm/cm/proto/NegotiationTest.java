package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What two ends agree on, as their peers and applications see it. */
@DisplayName("MPA negotiation")
class NegotiationTest {

    /** PROTOCOL §3.2: the responder's limits are IRD 16 and ORD 8. */
    @ParameterizedTest(name = "request {0}, application {1}")
    @Tag("FC-08")
    @Tag("FC-10")
    @CsvSource({
        "ird 4 ord 3,                     ird 16 ord 8, ird 16 ord 4,   ird 16 ord 4",
        "ird 4 ord 3,                     ird 2 ord 2,  ird 3 ord 2,    ird 3 ord 2",
        "ird 0 ord 20,                    ird 16 ord 8, ird 16 ord 0,   ird 16 ord 0",
        "ird none ord 4,                  ird 5 ord 8,  ird 5 ord none, ird 5 ord 8",
        "ird 4 ord none,                  ird 5 ord 8,  ird none ord 4, ird 5 ord 4",
        "ird none ord none,               ird 5 ord 8,  ird none ord none, ird 5 ord 8",
        "ird 16382 ord 16382,             ird 16 ord 8, ird 16 ord 8,   ird 16 ord 8",
        "ird 16382 ord 16382,             ird 99 ord 99, ird 16 ord 8,  ird 16 ord 8",
        "ird 0 ord 0,                     ird 0 ord 0,  ird 0 ord 0,    ird 0 ord 0",
    })
    void responderAnswers(String request, String wish, String reply, String told) {
        script("~ depths-max ird 16 ord 8\n", Openings.PASSIVE, """
            <     P.  1:25(24) ack 1   mpa-req rev 2 %s no-p2p crc
            >     .   1:1(0)   ack 25
            !     connect-request %s
            .     accept qp 7 %s
            !     hand-over qp 7 %s  lsmm mpa-rep rev 2 %s no-p2p crc
            !     established %s
            """.formatted(
                        request, request, wish, told, reply, told));
    }

    /** PROTOCOL §3.2, below the table: own IRD 4, ORD 8, at most IRD 6. */
    @ParameterizedTest(name = "reply {0}")
    @Tag("FC-08")
    @Tag("FC-10")
    @CsvSource({
        "ird 3 ord 4,       ird 4 ord 3",
        "ird 8 ord 6,       ird 6 ord 8",
        "ird 0 ord 0,       ird 4 ord 0",
        "ird none ord 4,    ird 4 ord 8",
        "ird 8 ord none,    ird 4 ord 8",
        "ird none ord none, ird 4 ord 8",
        "ird 16382 ord 0,   ird 4 ord 8",
    })
    void initiatorTakes(String reply, String told) {
        script("~ depths-max ird 6 ord 9\n", """
            .     connect ird 4 ord 8
            >     S   0:0(0)
            +10   <   S.  0:0(0)   ack 1
            >     P.  1:25(24) ack 1   mpa-req rev 2 ird 4 ord 8 no-p2p crc
            +10   <   P.  1:25(24) ack 25  mpa-rep rev 2 %s no-p2p crc
            >     .   25:25(0) ack 25
            !     hand-over qp 7 %s
            !     connect-reply ok %s peer %s
            """.formatted(reply, told, told, reply));
    }

    @Test
    @Tag("FC-08")
    void bothEndsAreToldThePeersDepthsOnAReject() {
        script(Openings.ACTIVE, """
            <     P.  1:25(24) ack 25  mpa-rep rev 2 ird 1 ord 99 rtr read reject crc
            !     connect-reply rejected-ulp peer ird 1 ord 99
            >     .   25:25(0) ack 25
            """);
    }

    @ParameterizedTest(name = "request {0}")
    @Tag("FC-05")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "rtr write,            rtr write",
                "rtr read,             rtr read",
                "`rtr write,read`,     rtr read",
                "`rtr send,write`,     rtr write",
                "`rtr send,write,read`,rtr read",
                "rtr send,             rtr read",
                "p2p,                  rtr read",
            })
    void responderAnswersOneRtrOfWhatWasOffered(String request, String reply) {
        script(Openings.PASSIVE, """
            <     P.  1:25(24) ack 1   mpa-req rev 2 ird 4 ord 4 %s crc
            >     .   1:1(0)   ack 25
            !     connect-request ird 4 ord 4
            .     accept qp 7 ird 4 ord 4
            !     hand-over qp 7 p2p %s  lsmm mpa-rep rev 2 ird 4 ord 4 %s crc
            """.formatted(request, reply, reply));
    }

    @Test
    void responderAnswersAllOfTheIntersectionWhereTheSettingSaysSo() {
        script("~ answer-all-rtr on\n", Openings.ASKED, """
            .     accept qp 7 ird 4 ord 4
            !     hand-over qp 7  lsmm mpa-rep rev 2 ird 4 ord 4 rtr write,read crc
            """);
    }

    @ParameterizedTest(name = "policy {0}, request {1}")
    @Tag("FC-64")
    @CsvSource({
        "required,   crc, crc,    crc",
        "required,   '',  crc,    crc",
        "off,        crc, '',     crc",
        "off,        '',  '',     no-crc",
        "strict-off, '',  '',     no-crc",
    })
    void responderAndInitiatorSettleOnCrc(String policy, String theirs, String ours, String used) {
        script("~ crc " + policy + "\n", Openings.PASSIVE, """
            <     P.  1:21(20) ack 1   mpa-req rev 1 %s
            >     .   1:1(0)   ack 21
            !     connect-request
            .     accept qp 7
            !     hand-over qp 7 %s  lsmm mpa-rep rev 1 %s
            !     established
            """.formatted(theirs, used, ours));
        script("~ crc " + policy + "\n", """
            .     connect v1
            >     S   0:0(0)
            +10   <   S.  0:0(0)   ack 1
            >     P.  1:21(20) ack 1   mpa-req rev 1 %s
            +10   <   P.  1:21(20) ack 21  mpa-rep rev 1 %s
            >     .   21:21(0) ack 21
            !     hand-over qp 7 %s
            !     connect-reply ok
            """.formatted(ours, theirs, used));
    }

    @Test
    @Tag("FC-64")
    void responderThatRefusesCrcsRejectsAPeerThatWantsThem() {
        script("~ crc strict-off\n", Openings.PASSIVE, """
            <     P.  1:21(20) ack 1   mpa-req rev 1 crc
            >     FP. 1:21(20) ack 21  mpa-rep rev 1 reject
            state FIN_WAIT1
            count passive_errs 1
            """);
    }

    @Test
    @Tag("FC-64")
    void initiatorThatRefusesCrcsTerminates() {
        script("~ crc strict-off\n", """
            .     connect v1
            >     S   0:0(0)
            +10   <   S.  0:0(0)   ack 1
            >     P.  1:21(20) ack 1   mpa-req rev 1
            +10   <   P.  1:21(20) ack 21  mpa-rep rev 1 crc
            >     .   21:21(0) ack 21
            !     connect-reply protocol
            !     hand-over qp 7
            !     terminate qp 7 layer 2 type 0 code 5
            """);
    }

    @ParameterizedTest(name = "theirs {0}, ours {1}")
    @Tag("FC-63")
    @CsvSource({
        "'',      off, '',      no-markers",
        "markers, off, '',      send-markers",
        "'',      on,  markers, receive-markers",
        "markers, on,  markers, send-markers receive-markers",
    })
    void markersGoWhereTheyWereAskedFor(String theirs, String setting, String ours, String used) {
        script("~ markers " + setting + "\n", Openings.PASSIVE, """
            <     P.  1:21(20) ack 1   mpa-req rev 1 crc %s
            >     .   1:1(0)   ack 21
            !     connect-request
            .     accept qp 7
            !     hand-over qp 7 %s  lsmm mpa-rep rev 1 crc %s
            !     established
            """.formatted(theirs, used, ours));
        script("~ markers " + setting + "\n", """
            .     connect v1
            >     S   0:0(0)
            +10   <   S.  0:0(0)   ack 1
            >     P.  1:21(20) ack 1   mpa-req rev 1 crc %s
            +10   <   P.  1:21(20) ack 21  mpa-rep rev 1 crc %s
            >     .   21:21(0) ack 21
            !     hand-over qp 7 %s
            !     connect-reply ok
            """.formatted(ours, theirs, used));
    }

    @ParameterizedTest(name = "{0}")
    @Tag("FC-89")
    @CsvSource({"mpa-rep rev 1 crc, 20", "mpa-rep rev 2 plain crc, 20"})
    void initiatorRefusesAReplyInAnotherForm(String reply, int length) {
        script(Openings.ACTIVE, """
            +10   <   P.  1:%d(%d) ack 25  %s
            >     R.  25:25(0) ack %d
            !     connect-reply protocol
            ends
            """.formatted(length + 1, length, reply, length + 1));
    }

    @ParameterizedTest(name = "{0}")
    @Tag("FC-89")
    @CsvSource({"mpa-rep rev 1 crc, 20", "mpa-rep rev 2 plain crc, 20"})
    void initiatorAdoptsAReplyInAnotherFormWhereTheSettingSaysSo(String reply, int length) {
        script("~ strict-reply off\n", Openings.ACTIVE, """
            +10   <   P.  1:%d(%d) ack 25  %s
            >     .   25:25(0) ack %d
            !     hand-over qp 7 snd 25 rcv %d no-p2p rtr none ird 4 ord 3
            !     connect-reply ok ird 4 ord 3
            """.formatted(
                        length + 1, length, reply, length + 1, length + 1));
    }

    @ParameterizedTest(name = "strict {0}")
    @Tag("FC-89")
    @CsvSource({"on", "off"})
    void initiatorNeverTakesAnUnknownRevision(String strict) {
        script("~ strict-reply " + strict + "\n", Openings.ACTIVE, """
            +10   <   P.  1:25(24) ack 25  mpa-rep rev 3 ird 3 ord 4 rtr read crc
            >     R.  25:25(0) ack 25
            !     connect-reply protocol
            ends
            """);
    }

    @Test
    void initiatorThatAskedInRevision1RefusesRevision2() {
        script("""
            .     connect v1
            >     S   0:0(0)
            +10   <   S.  0:0(0)   ack 1
            >     P.  1:21(20) ack 1   mpa-req rev 1 crc
            +10   <   P.  1:25(24) ack 21  mpa-rep rev 2 ird 3 ord 4 rtr read crc
            >     R.  21:21(0) ack 25
            !     connect-reply protocol
            ends
            """);
    }
}
