package io.iwcm.cm.api;

import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;

/** One TCP connection of a {@link Stranger}'s, just able to open and to say something. */
final class HandmadePeer {

    private static final SeqNum ISN = new SeqNum(1000);

    private final Stranger stranger;
    private final FlowKey flow;
    private SeqNum next = ISN.plus(1);
    private SeqNum stations;

    private HandmadePeer(Stranger stranger, FlowKey flow, SeqNum stations) {
        this.stranger = stranger;
        this.flow = flow;
        this.stations = stations;
    }

    /** Opens a connection to a listener of the station's, told from its side. */
    static HandmadePeer opens(Stranger stranger, FlowKey flow) {
        stranger.syn(flow, 0, 0);
        return new HandmadePeer(stranger, flow, stranger.take().segment().end());
    }

    /** Takes the connection that the station opens, and its MPA request. */
    static HandmadePeer isAsked(Stranger stranger) {
        TcpFrame syn = stranger.take();
        FlowKey flow = syn.addressing().flow().reversed();
        HandmadePeer peer = new HandmadePeer(stranger, flow, syn.segment().end());
        peer.send(ISN, Segment.SYN | Segment.ACK, TcpOptions.ofSyn(1460, 7), Octets.EMPTY);
        peer.hear();
        return peer;
    }

    /** Waits for a segment of the station's that says something; what it says. */
    Octets hear() {
        Segment heard = stranger.take().segment();
        while (heard.payload().isEmpty()) heard = stranger.take().segment();
        stations = heard.end();
        return heard.payload();
    }

    /** Waits for the station's FIN, and acknowledges it. */
    void hearFin() {
        Segment heard = stranger.take().segment();
        while (!heard.fin()) heard = stranger.take().segment();
        stations = heard.end();
        send(next, Segment.ACK, TcpOptions.NONE, Octets.EMPTY);
    }

    void say(Octets data, int flags) {
        send(next, Segment.ACK | Segment.PSH | flags, TcpOptions.NONE, data);
        next = next.plus(data.length() + ((flags & Segment.FIN) == 0 ? 0 : 1));
    }

    /** Says the last octet of what was acknowledged long ago, which is answered by an ACK. */
    void repeatItself() {
        send(next.plus(-1), Segment.ACK, TcpOptions.NONE, Octets.wrap(new byte[1]));
    }

    void reset() {
        send(next, Segment.RST, TcpOptions.NONE, Octets.EMPTY);
    }

    private void send(SeqNum seq, int flags, TcpOptions options, Octets data) {
        stranger.send(flow, new Segment(seq, stations, flags, 65_535, options, data), 0, 0);
    }
}
