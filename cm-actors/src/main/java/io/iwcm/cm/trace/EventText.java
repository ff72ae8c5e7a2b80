package io.iwcm.cm.trace;

import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.wire.Octets;

/** Events in words, under the names that RDMA applications know. */
public final class EventText {

    private EventText() {}

    public static String describe(CmEvent event) {
        return switch (event) {
            case CmEvent.ConnectRequest(int revision, PeerDepths peer, var suggested, Octets data) ->
                "CONNECT_REQUEST mpa rev " + revision + said(peer) + " (ours would be " + suggested + ")" + with(data);
            case CmEvent.ConnectReply(Cause outcome, var depths, PeerDepths peer, Octets data) ->
                "CONNECT_REPLY " + words(outcome) + (outcome == Cause.NONE ? " " + depths : "") + said(peer)
                        + with(data);
            case CmEvent.Established(var depths) -> "ESTABLISHED " + depths;
            case CmEvent.AcceptFailed(Cause cause) -> "ACCEPT_FAILED " + words(cause);
            case CmEvent.Disconnected(Cause cause) -> "DISCONNECT " + words(cause);
            case CmEvent.Closed(Cause cause) -> "CLOSE " + words(cause);
        };
    }

    /** {@code ok}, or the cause with the errno it maps to. */
    public static String words(Cause cause) {
        return cause == Cause.NONE ? "ok" : cause.phrase() + " (errno " + cause.errno() + ")";
    }

    private static String said(PeerDepths peer) {
        return peer.present() ? ", peer said ird " + peer.ird() + " ord " + peer.ord() : "";
    }

    private static String with(Octets data) {
        return data.isEmpty() ? "" : ", private data " + FrameText.privateData(data);
    }
}
