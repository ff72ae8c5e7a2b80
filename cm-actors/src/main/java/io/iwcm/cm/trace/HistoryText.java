package io.iwcm.cm.trace;

import io.iwcm.cm.actor.Role;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CmOutput;
import io.iwcm.cm.proto.CmState;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.TimerKey;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A connection's history in words, a line for each thing that happened. */
public final class HistoryText {

    private static final double NS_PER_S = 1e9;

    /** What kind of thing a line is about. */
    public enum Kind {
        /** A segment came. */
        RECEIVED,
        /** A segment was sent. */
        SENT,
        /** Something else happened to the connection: a timer, an answer of the NIC, a call. */
        INPUT,
        /** Something else was ordered from the NIC. */
        ORDER,
        /** Something worth counting was decided. */
        DECISION,
        /** The application was told. */
        EVENT,
        /** The state changed. */
        STATE
    }

    /**
     * One line.
     *
     * @param seconds since the connection was made
     * @param kind what it is about
     * @param text in words
     * @param change the states before and after, where it is about that
     */
    public record Line(double seconds, Kind kind, String text, Optional<Change> change) {}

    /** A change of state. */
    public record Change(StateName from, StateName to) {}

    private final ConnectionHistory history;
    private final FlowKey ours;
    private final FrameText frames = new FrameText();
    private final List<Line> lines = new ArrayList<>();

    private HistoryText(ConnectionHistory history) {
        this.history = history;
        this.ours = history.connection().flow();
    }

    /** All that is kept, the oldest first. */
    public static List<Line> lines(ConnectionHistory history) {
        HistoryText text = new HistoryText(history);
        history.entries().forEach(text::tell);
        return text.lines;
    }

    private void tell(ConnectionHistory.Entry entry) {
        entry.input().ifPresentOrElse(input -> tell(entry.atNs(), input), () -> birth(entry));
        for (CmOutput output : entry.step().outputs()) tell(entry.atNs(), output);
        StateName to = entry.step().next().name();
        if (to != entry.from()) {
            Change change = new Change(entry.from(), to);
            lines.add(new Line(seconds(entry.atNs()), Kind.STATE, entry.from() + " -> " + to, Optional.of(change)));
        }
    }

    /** What made a passive connection arrived before there was anybody to see it; its first state knows it still. */
    private void birth(ConnectionHistory.Entry entry) {
        if (history.connection().role() != Role.PASSIVE || !(entry.step().next() instanceof CmState.Inited first))
            return;
        CmState.Opening opening = first.opening();
        if (opening.completed().isEmpty()) {
            Segment syn = new Segment(
                    opening.peerIsn(),
                    new SeqNum(0),
                    Segment.SYN,
                    opening.peerWindow(),
                    opening.peerOptions(),
                    Octets.EMPTY);
            add(entry.atNs(), Kind.RECEIVED, frames.describe(ours.reversed(), syn));
            return;
        }
        CmState.Completed cookie = opening.completed().get();
        frames.begin(ours.reversed(), opening.peerIsn());
        frames.begin(ours, cookie.iss());
        for (Segment segment : cookie.arrived()) {
            add(entry.atNs(), Kind.RECEIVED, frames.describe(ours.reversed(), segment));
        }
    }

    private void tell(long atNs, CmInput input) {
        if (input instanceof CmInput.Arrived(var segment)) {
            add(atNs, Kind.RECEIVED, frames.describe(ours.reversed(), segment));
        } else {
            add(atNs, Kind.INPUT, words(input));
        }
    }

    private void tell(long atNs, CmOutput output) {
        switch (output) {
            case CmOutput.ToNic(NicCommand.Transmit(var segment)) ->
                add(atNs, Kind.SENT, frames.describe(ours, segment));
            case CmOutput.ToNic(NicCommand.ModifyQp order) -> {
                add(atNs, Kind.ORDER, words(order));
                handOver(atNs, order.handOver());
            }
            case CmOutput.ToNic(var command) -> add(atNs, Kind.ORDER, words(command));
            case CmOutput.Notify(var event) -> add(atNs, Kind.EVENT, EventText.describe(event));
            case CmOutput.Answer(long _, var cause) ->
                add(atNs, Kind.EVENT, "call answered: " + EventText.words(cause));
            case CmOutput.Count(var counter) -> add(atNs, Kind.DECISION, counter.label() + ": " + counter.sentence());
            case CmOutput.Arm(TimerKey key, long dueNs, long _) ->
                add(
                        atNs,
                        Kind.ORDER,
                        String.format(Locale.ROOT, "%s timer in %.3f s", word(key), (dueNs - atNs) / NS_PER_S));
            case CmOutput.Disarm _ -> {} // What ends a timer shows by itself.
        }
    }

    /** The last of the handshake is the queue pair's to send: the MPA reply, or the RTR. */
    private void handOver(long atNs, NicCommand.HandOver handOver) {
        SeqNum next = handOver.tcp().send().nxt();
        if (!handOver.lsmm().isEmpty()) {
            add(atNs, Kind.SENT, "queue pair: " + frames.describe(ours, next, handOver.lsmm()));
        } else if (handOver.rdma().initiator()) {
            handOver.rdma()
                    .rtr()
                    .ifPresent(form -> add(
                            atNs,
                            Kind.SENT,
                            "queue pair: seq " + frames.relative(ours, next) + " | FPDU ready to receive: "
                                    + word(form)));
        }
    }

    private static String words(CmInput input) {
        return switch (input) {
            case CmInput.Arrived _ -> "segment";
            case CmInput.TimerTick(var key, long _) -> word(key) + " timer fired";
            case CmInput.FromNic(var event) -> "NIC: " + words(event);
            case CmInput.Accept(long _, var _, var depths, var data) ->
                "application accepts" + depths.map(wish -> " with " + wish).orElse("") + with(data);
            case CmInput.Reject(long _, var data) -> "application rejects" + with(data);
            case CmInput.Disconnect _ -> "application disconnects";
            case CmInput.Abort _ -> "application aborts";
            case CmInput.ApplicationGone _ -> "application gone";
            case CmInput.AddressDown _ -> "local address down";
            case CmInput.ListenerGone _ -> "listener gone";
            case CmInput.Shutdown _ -> "connection manager stops";
        };
    }

    private static String words(NicEvent event) {
        return switch (event) {
            case NicEvent.AddressHandleReady(int mtu) -> "address handle ready, MTU " + mtu;
            case NicEvent.AddressHandleFailed(var why) -> "no address handle: " + word(why);
            case NicEvent.SteeringInstalled _ -> "steering installed";
            case NicEvent.SteeringFailed(var why) -> "no steering: " + word(why);
            case NicEvent.QpEvent(var asynchronous) -> "queue pair: " + asynchronous.code();
            case NicEvent.ModifyQpFailed(var why) -> "queue pair did not take over: " + word(why);
            case NicEvent.PathError(var problem, int _, var _) -> "ICMP: " + word(problem);
            case NicEvent.Superseded _ -> "somebody else owns this flow now";
        };
    }

    private static String words(NicCommand command) {
        return switch (command) {
            case NicCommand.CreateAh _ -> "create address handle";
            case NicCommand.FreeAh _ -> "free address handle";
            case NicCommand.AddQuadHash _ -> "add quad hash entry";
            case NicCommand.DeleteQuadHash _ -> "delete quad hash entry";
            case NicCommand.AddApbvt _ -> "use the port";
            case NicCommand.DeleteApbvt _ -> "give the port back";
            case NicCommand.MoveInBacklog(var place) -> "place in backlog: " + word(place);
            case NicCommand.Transmit _ -> "transmit";
            case NicCommand.ModifyQp(var qp, var _) -> "hand over to queue pair " + qp;
            case NicCommand.Reinject _ -> "segment back to the queue pair";
            case NicCommand.TerminateQp(var _, var code) -> "queue pair: terminate, " + code;
            case NicCommand.CloseQp _ -> "queue pair: close";
            case NicCommand.AbortQp _ -> "queue pair: abort";
            case NicCommand.EnterTimeWait _ -> "TIME_WAIT";
        };
    }

    private static String with(Octets data) {
        return data.isEmpty() ? "" : ", private data " + FrameText.privateData(data);
    }

    private static String word(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private void add(long atNs, Kind kind, String text) {
        lines.add(new Line(seconds(atNs), kind, text, Optional.empty()));
    }

    private double seconds(long atNs) {
        return (atNs - history.bornNs()) / NS_PER_S;
    }
}
