package io.iwcm.cm.interop;

import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Octets;
import java.util.ArrayList;
import java.util.List;

/**
 * One cell of the matrix.
 *
 * @param guestConnects the guest asks and we answer; else the other way round
 * @param v6 IPv6, else IPv4
 * @param vlan on VLAN 100, else untagged
 * @param crc both insist on CRCs, else neither does
 * @param model what the initiator asks for
 * @param accept the answer
 * @param data whether request and answer carry private data
 */
record SiwCase(
        boolean guestConnects, boolean v6, boolean vlan, boolean crc, Model model, boolean accept, boolean data) {

    private static final int DATA = 200;

    enum Model {
        REVISION_1("revision 1", 1),
        CLIENT_SERVER("client-server", 2),
        PEER_TO_PEER("peer-to-peer", 2);

        private final String words;
        private final int revision;

        Model(String words, int revision) {
            this.words = words;
            this.revision = revision;
        }

        int revision() {
            return revision;
        }
    }

    /** Every cell; those that share how we are set up stand together. */
    static List<SiwCase> all() {
        List<SiwCase> cases = new ArrayList<>();
        for (int bits = 0; bits < 64; bits++) {
            for (Model model : Model.values()) {
                cases.add(new SiwCase(
                        (bits & 16) != 0,
                        (bits & 8) != 0,
                        (bits & 4) != 0,
                        (bits & 32) != 0,
                        model,
                        (bits & 2) == 0,
                        (bits & 1) != 0));
            }
        }
        return List.copyOf(cases);
    }

    /** A few in which every value of every column occurs, both directions with each. */
    static List<SiwCase> smoke() {
        return List.of(
                new SiwCase(true, false, false, false, Model.CLIENT_SERVER, true, true),
                new SiwCase(true, true, true, false, Model.REVISION_1, false, true),
                new SiwCase(false, true, false, false, Model.REVISION_1, true, true),
                new SiwCase(false, false, true, false, Model.CLIENT_SERVER, false, true),
                new SiwCase(true, true, false, true, Model.PEER_TO_PEER, true, false),
                new SiwCase(true, false, true, true, Model.PEER_TO_PEER, true, true),
                new SiwCase(false, false, true, true, Model.PEER_TO_PEER, true, true),
                new SiwCase(false, true, true, true, Model.PEER_TO_PEER, true, false));
    }

    Octets requestData() {
        return privateData(accept ? "11" : "ff");
    }

    Octets answerData() {
        return privateData("22");
    }

    /** The first octet says to the guest whether it should reject; a request without data cannot ask for that. */
    private Octets privateData(String first) {
        return data
                ? Octets.ofHex(first + "ab".repeat(DATA - 1))
                : first.equals("ff") ? Octets.ofHex(first) : Octets.EMPTY;
    }

    String guestAddress() {
        return v6 ? (vlan ? "fd99:1::1" : "fd99::1") : vlan ? "10.99.1.1" : "10.99.0.1";
    }

    String ourAddress() {
        return v6 ? (vlan ? "fd99:1::2" : "fd99::2") : vlan ? "10.99.1.2" : "10.99.0.2";
    }

    Endpoint at(int port) {
        return new Endpoint(Flows.ip(guestAddress()), port);
    }

    int vlanId() {
        return vlan ? 100 : 0;
    }

    /** The columns of the report's table. */
    String row() {
        return String.join(
                " | ",
                guestConnects ? "siw → iwcm" : "iwcm → siw",
                v6 ? "IPv6" : "IPv4",
                vlan ? "100" : "–",
                crc ? "on" : "off",
                model.words,
                accept ? "accept" : "reject",
                data ? "200" : "0");
    }

    @Override
    public String toString() {
        return row().replace(" | ", ", ");
    }
}
