package io.iwcm.cm.script;

import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.AdmitSpec;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CmOutput;
import io.iwcm.cm.proto.CmOutput.Notify;
import io.iwcm.cm.proto.CmOutput.ToNic;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.ConnectSpec;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.TimerKey;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.spi.RdmaParams;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.spi.TcpHandOver;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A machine just large enough to try the language on: a handshake, a question to the application, a hand-over. What it puts
 * out passes through {@code spoil}, with which tests break it.
 */
final class ToyMachine implements Machine {

    private static final Octets REPLY = Octets.ofHex("4d504120494420526570204672616d65" + "5002000480040008");
    private static final ReadDepths DEPTHS = new ReadDepths(4, 8);

    private final UnaryOperator<List<CmOutput>> spoil;

    ToyMachine(UnaryOperator<List<CmOutput>> spoil) {
        this.spoil = spoil;
    }

    private record Toy(StateName name, AdmitSpec spec, SeqNum iss) {
        Toy as(StateName next) {
            return new Toy(next, spec, iss);
        }
    }

    @Override
    public Move connect(ConnectSpec spec, long nowNs, CmParams params) {
        throw new UnsupportedOperationException("a toy does not connect");
    }

    @Override
    public Move admit(AdmitSpec spec, long nowNs, CmParams params) {
        Toy toy = new Toy(StateName.SYN_RCVD, spec, params.isn().isn(spec.flow(), nowNs));
        return step(toy, new ToNic(new NicCommand.CreateAh(spec.path())));
    }

    @Override
    public Move step(Object state, CmInput in, long nowNs, CmParams params) {
        Toy toy = (Toy) state;
        CmOutput armed =
                new CmOutput.Arm(TimerKey.RETRANSMIT, nowNs + params.tcp().rtoFirstNs(), 1);
        return switch (in) {
            case CmInput.FromNic(NicEvent.AddressHandleReady _) ->
                step(toy, new ToNic(new NicCommand.AddQuadHash(Optional.of(toy.spec.listener()))));
            case CmInput.FromNic(NicEvent.SteeringInstalled _) -> step(toy, send(toy, Segment.SYN), armed);
            case CmInput.TimerTick _ ->
                step(toy, new CmOutput.Count(CmCounter.PKT_RETRANS), send(toy, Segment.SYN), armed);
            case CmInput.Arrived _
            when toy.name == StateName.SYN_RCVD ->
                step(
                        toy.as(StateName.MPAREQ_RCVD),
                        new CmOutput.Disarm(TimerKey.RETRANSMIT),
                        send(toy, 0),
                        new ToNic(new NicCommand.MoveInBacklog(BacklogPlace.WAITING)),
                        new Notify(new CmEvent.ConnectRequest(2, new PeerDepths(true, 8, 4), DEPTHS, hi())));
            case CmInput.Accept accept ->
                step(
                        toy.as(StateName.OFFLOADED),
                        new ToNic(new NicCommand.ModifyQp(accept.qp(), handOver(toy))),
                        new ToNic(new NicCommand.MoveInBacklog(BacklogPlace.NONE)),
                        new ToNic(new NicCommand.FreeAh()),
                        new CmOutput.Answer(accept.call(), Cause.NONE));
            case CmInput.FromNic(NicEvent.QpEvent(var event)) ->
                switch (event.code()) {
                    case LLP_CONNECTION_ESTABLISHED -> step(toy, new Notify(new CmEvent.Established(DEPTHS)));
                    case LLP_CLOSE_COMPLETE ->
                        step(
                                toy.as(StateName.CLOSED),
                                new Notify(new CmEvent.Disconnected(Cause.NONE)),
                                new Notify(new CmEvent.Closed(Cause.NONE)));
                    default -> step(toy);
                };
            case CmInput.Disconnect(long call) ->
                step(toy, new ToNic(new NicCommand.CloseQp(new QpId(7))), new CmOutput.Answer(call, Cause.NONE));
            case CmInput.Shutdown _
            when toy.name != StateName.OFFLOADED ->
                step(
                        toy.as(StateName.CLOSED),
                        new CmOutput.Disarm(TimerKey.RETRANSMIT),
                        new ToNic(new NicCommand.DeleteQuadHash()),
                        new ToNic(new NicCommand.FreeAh()));
            case CmInput.Shutdown _ ->
                step(
                        toy.as(StateName.CLOSED),
                        new Notify(new CmEvent.Disconnected(Cause.SHUTDOWN)),
                        new Notify(new CmEvent.Closed(Cause.SHUTDOWN)));
            default -> step(toy);
        };
    }

    private Move step(Toy next, CmOutput... outputs) {
        return new Move(next, next.name, spoil.apply(List.of(outputs)));
    }

    private static CmOutput send(Toy toy, int flags) {
        boolean syn = flags == Segment.SYN;
        return new ToNic(new NicCommand.Transmit(new Segment(
                syn ? toy.iss : toy.iss.plus(1),
                toy.spec.syn().end(),
                flags | Segment.ACK,
                1_000,
                syn ? TcpOptions.ofSyn(1_400, 2) : TcpOptions.NONE,
                Octets.EMPTY)));
    }

    private static NicCommand.HandOver handOver(Toy toy) {
        SeqNum next = toy.iss.plus(1);
        return new NicCommand.HandOver(
                new TcpHandOver(
                        new TcpHandOver.SendSide(next, next, 4_000, 4_000, 2),
                        new TcpHandOver.ReceiveSide(toy.spec.syn().end(), 4_000, 2),
                        1_400,
                        Octets.EMPTY,
                        Octets.EMPTY,
                        false),
                new RdmaParams(false, DEPTHS, true, false, false, true, Optional.empty()),
                REPLY);
    }

    private static Octets hi() {
        return Octets.wrap("hi".getBytes(StandardCharsets.US_ASCII));
    }
}
