package io.iwcm.cm.proto;

import static io.iwcm.cm.script.Script.script;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Connects that come to nothing, whatever step fails: told once, nothing is held, and the queue pair hears of it only if it was
 * told to take the connection over. A script fails on an event or an order that it does not claim.
 */
@DisplayName("A failed connect")
class FailedConnectTest {

    private static final String NOTHING_MORE = "\nends\n+1h quiet\n";

    @Test
    @Tag("FC-65")
    void atEachStepIsToldOnceAndHoldsNothing() {
        fails("unreachable", "nic fail ah neighbour-unreachable\n. connect");
        fails("unreachable", "nic fail ah no-route\n. connect");
        fails("resources", "nic fail ah resources\n. connect");
        fails("address-in-use", "nic fail quad quad-taken\n. connect");
        fails("resources", "nic fail quad resources\n. connect");
        fails("resources", "nic fail quad device\n. connect");
        fails("local-down", "nic hold ah\n. connect\n. address-down");
        fails("local-down", "nic hold quad\n. connect\n. address-down");
        fails("refused-tcp", ". connect\n> S 0:0(0)\n< R. 0:0(0) ack 1");
        fails("local-down", ". connect\n> S 0:0(0)\n. address-down");
        fails("reset", Openings.ACTIVE + "< R 1:1(0)");
        fails("local-down", Openings.ACTIVE + ". address-down\n> R. 25:25(0) ack 1");
    }

    @Test
    @Tag("FC-65")
    void atTheQueuePairIsToldOnceAndResetsThePeer() {
        for (String why : new String[] {"device", "resources"}) {
            script("nic fail qp " + why + "\n", Openings.ACTIVE, """
                +10   <   P.  1:25(24) ack 25  mpa-rep rev 2 ird 3 ord 4 rtr read crc
                >     .   25:25(0) ack 25
                !     hand-over qp 7 snd 25 rcv 25 rtr read
                >     R.  25:25(0) ack 25
                !     connect-reply resources
                """, NOTHING_MORE);
        }
    }

    @Test
    @Tag("FC-68")
    void givesAQueuePairThatNeverTookOverNoOrder() {
        script(Openings.ACTIVE, """
            +10   <   FP. 1:25(24) ack 25  mpa-rep rev 2 ird 3 ord 4 rtr read reject crc
            !     connect-reply rejected-ulp peer ird 3 ord 4
            >     F.  25:25(0) ack 26
            <     .   26:26(0) ack 26
            """, NOTHING_MORE);
        script(Openings.ACTIVE, """
            +10   <   .   1:1(0) ack 25
            +59990 >  R.  25:25(0) ack 1
            !     connect-reply timeout-mpa
            """, NOTHING_MORE);
        script(Openings.ACTIVE, """
            +10   <   P.  1:5(4) ack 25  "What"
            >     R.  25:25(0) ack 5
            !     connect-reply protocol
            """, NOTHING_MORE);
    }

    @Test
    @Tag("FC-68")
    void endsAQueuePairThatTookOverOnce() {
        String insufficient = """
            +10   <   P.  1:25(24) ack 25  mpa-rep rev 2 ird 4 ord 7 rtr read crc
            >     .   25:25(0) ack 25
            !     connect-reply resources peer ird 4 ord 7
            !     hand-over qp 7 snd 25 rcv 25
            !     terminate qp 7 layer 2 type 0 code 6
            """;
        script("~ depths-max ird 6 ord 8\n", Openings.ACTIVE, insufficient, """
            ae    terminate-sent
            ae    close-complete
            """, NOTHING_MORE);
        script("~ depths-max ird 6 ord 8\n~ close 20s\n", Openings.ACTIVE, insufficient, """
            ae    terminate-sent
            +20s  !   abort-qp qp 7
            """, NOTHING_MORE);
    }

    private static void fails(String cause, String script) {
        script(script, "\n! connect-reply " + cause + NOTHING_MORE);
    }
}
