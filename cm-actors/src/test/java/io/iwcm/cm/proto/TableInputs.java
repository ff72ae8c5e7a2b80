package io.iwcm.cm.proto;

import static io.iwcm.nic.wire.Segment.ACK;
import static io.iwcm.nic.wire.Segment.FIN;
import static io.iwcm.nic.wire.Segment.RST;
import static io.iwcm.nic.wire.Segment.SYN;

import io.iwcm.cm.script.Script.Scene;
import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Every kind of input, with numbers that fit the state it is given to. */
final class TableInputs {

    private static final Octets REQUEST = frame("MPA ID Req Frame", "5002000480040003");
    private static final Octets REPLY = frame("MPA ID Rep Frame", "5002000480034004");
    private static final Octets GARBAGE = Octets.ofHex("00010203");
    private static final int FAR = 100_000_000;

    private final Map<String, CmInput> inputs = new LinkedHashMap<>();
    private final SeqNum peerIsn;
    private final SeqNum una;
    private final SeqNum nxt;
    private final SeqNum rcv;

    private TableInputs(Scene scene) {
        peerIsn = scene.bases().peer();
        switch (scene.state()) {
            case CmState.Synchronized synced -> {
                una = synced.tcb().snd().una();
                nxt = synced.tcb().snd().nxt();
                rcv = synced.tcb().rcv().nxt();
            }
            case CmState.Live _, CmState.Closed _ -> {
                una = scene.bases().our();
                nxt = una.plus(1);
                rcv = peerIsn.plus(1);
            }
        }
    }

    /** By name, the same names for every state. */
    static Map<String, CmInput> of(Scene scene) {
        TableInputs table = new TableInputs(scene);
        table.syns();
        table.acks();
        table.data();
        table.resets();
        table.timers(scene.state());
        table.nic();
        table.icmp();
        table.queuePair();
        table.application();
        return table.inputs;
    }

    private void syns() {
        TcpOptions options = TcpOptions.ofSyn(1460, 7);
        arrives("SYN, the same", peerIsn, SYN, nxt, options, Octets.EMPTY);
        arrives("SYN, new, in the window", rcv.plus(100), SYN, nxt, options, Octets.EMPTY);
        arrives("SYN, new, out of the window", rcv.plus(FAR), SYN, nxt, options, Octets.EMPTY);
        arrives("SYN-ACK, good ACK", peerIsn, SYN | ACK, nxt, options, Octets.EMPTY);
        arrives("SYN-ACK, wrong ACK", peerIsn, SYN | ACK, nxt.plus(5), options, Octets.EMPTY);
    }

    private void acks() {
        arrives("ACK, duplicate", rcv, ACK, una, Octets.EMPTY);
        arrives("ACK, new", rcv, ACK, nxt, Octets.EMPTY);
        arrives("ACK, of what was never sent", rcv, ACK, nxt.plus(5), Octets.EMPTY);
        arrives("ACK, far too old", rcv, ACK, una.plus(-FAR), Octets.EMPTY);
        arrives("ACK, sequence number just before the window", rcv.plus(-1), ACK, nxt, Octets.EMPTY);
        arrives("ACK, sequence number out of the window", rcv.plus(FAR), ACK, nxt, Octets.EMPTY);
        arrives("no ACK flag", rcv, 0, nxt, GARBAGE);
    }

    private void data() {
        arrives("data, an MPA request", rcv, ACK, nxt, REQUEST);
        arrives("data, an MPA reply", rcv, ACK, nxt, REPLY);
        arrives("data, garbage", rcv, ACK, nxt, GARBAGE);
        arrives("data, out of order", rcv.plus(8), ACK, nxt, GARBAGE);
        arrives("data, old", rcv.plus(-4), ACK, nxt, GARBAGE);
        arrives("data, partly old", rcv.plus(-3), ACK, nxt, GARBAGE);
        arrives("data, out of the window", rcv.plus(FAR), ACK, nxt, GARBAGE);
        arrives("data, ACK of what was never sent", rcv, ACK, nxt.plus(5), GARBAGE);
        arrives("FIN", rcv, FIN | ACK, nxt, Octets.EMPTY);
        arrives("FIN, without a new ACK", rcv, FIN | ACK, una, Octets.EMPTY);
        arrives("FIN, out of order", rcv.plus(8), FIN | ACK, nxt, Octets.EMPTY);
        arrives("FIN, old", rcv.plus(-1), FIN | ACK, nxt, Octets.EMPTY);
        arrives("FIN, without ACK flag", rcv, FIN, nxt, Octets.EMPTY);
    }

    private void resets() {
        arrives("RST, exact", rcv, RST, nxt, Octets.EMPTY);
        arrives("RST, exact, with a good ACK", rcv, RST | ACK, nxt, Octets.EMPTY);
        arrives("RST, exact, with a wrong ACK", rcv, RST | ACK, nxt.plus(5), Octets.EMPTY);
        arrives("RST, in the window", rcv.plus(1), RST, nxt, Octets.EMPTY);
        arrives("RST, out of the window", rcv.plus(FAR), RST, nxt, Octets.EMPTY);
    }

    private void timers(CmState state) {
        for (TimerKey key : TimerKey.values()) {
            long armed = state instanceof CmState.Live live
                    ? live.conn().timers().of(key).generation()
                    : 0;
            String name = "tick " + key.name().toLowerCase(java.util.Locale.ROOT);
            inputs.put(armed == 0 ? name + " (not armed)" : name, new CmInput.TimerTick(key, armed));
            inputs.put(name + ", stale", new CmInput.TimerTick(key, armed - 1));
        }
    }

    private void nic() {
        says("NIC: address handle ready", new NicEvent.AddressHandleReady(1_500));
        says("NIC: address handle failed", new NicEvent.AddressHandleFailed(Failure.NEIGHBOUR_UNREACHABLE));
        says("NIC: steering installed", new NicEvent.SteeringInstalled());
        says("NIC: steering failed", new NicEvent.SteeringFailed(Failure.QUAD_TAKEN));
        says("NIC: steering failed, backlog full", new NicEvent.SteeringFailed(Failure.BACKLOG_FULL));
        says("NIC: modify QP failed", new NicEvent.ModifyQpFailed(Failure.DEVICE));
        says("NIC: superseded", new NicEvent.Superseded());
    }

    private void icmp() {
        for (NicEvent.PathProblem problem : NicEvent.PathProblem.values()) {
            String name =
                    "ICMP " + problem.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
            says(name + ", in flight", new NicEvent.PathError(problem, 576, nxt.plus(-1)));
            says(name + ", not in flight", new NicEvent.PathError(problem, 576, nxt));
        }
    }

    private void queuePair() {
        for (AsyncEvent.Code code : AsyncEvent.Code.values()) {
            says("AE " + code, new NicEvent.QpEvent(AsyncEvent.of(code)));
        }
    }

    private void application() {
        inputs.put("accept", new CmInput.Accept(9, new QpId(7), Optional.of(new ReadDepths(4, 4)), Octets.EMPTY));
        inputs.put(
                "accept, too much private data",
                new CmInput.Accept(9, new QpId(7), Optional.empty(), Octets.wrap(new byte[513])));
        inputs.put("reject", new CmInput.Reject(9, GARBAGE));
        inputs.put("reject, too much private data", new CmInput.Reject(9, Octets.wrap(new byte[513])));
        inputs.put("disconnect", new CmInput.Disconnect(9));
        inputs.put("abort", new CmInput.Abort(9));
        inputs.put("application gone", new CmInput.ApplicationGone());
        inputs.put("address down", new CmInput.AddressDown());
        inputs.put("listener gone", new CmInput.ListenerGone());
        inputs.put("shutdown", new CmInput.Shutdown());
    }

    private void says(String name, NicEvent event) {
        inputs.put(name, new CmInput.FromNic(event));
    }

    private void arrives(String name, SeqNum seq, int flags, SeqNum ack, Octets payload) {
        arrives(name, seq, flags, ack, TcpOptions.NONE, payload);
    }

    private void arrives(String name, SeqNum seq, int flags, SeqNum ack, TcpOptions options, Octets payload) {
        inputs.put(name, new CmInput.Arrived(new Segment(seq, ack, flags, 65_535, options, payload)));
    }

    private static Octets frame(String key, String hex) {
        return Octets.wrap(key.getBytes(StandardCharsets.US_ASCII)).concat(Octets.ofHex(hex));
    }
}
