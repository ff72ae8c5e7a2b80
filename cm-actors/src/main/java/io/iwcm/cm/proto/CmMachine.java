package io.iwcm.cm.proto;

/** The connection machine: {@code connect} or {@code admit} once, then {@code step} for whatever happens. */
public final class CmMachine {

    private CmMachine() {}

    /** Begins an active open. */
    public static Step connect(ConnectSpec spec, long nowNs, CmParams params) {
        return InitedStates.connect(spec, nowNs, params);
    }

    /** Begins a passive open. */
    public static Step admit(AdmitSpec spec, long nowNs, CmParams params) {
        return InitedStates.admit(spec, nowNs, params);
    }

    /** Begins a passive open whose handshake a cookie has completed. */
    public static Step complete(CompletedSpec spec, long nowNs, CmParams params) {
        return InitedStates.complete(spec, nowNs, params);
    }

    /**
     * What {@code state} makes of {@code in}. The node ends when the next state's name is CLOSED.
     *
     * @param nowNs a monotonic clock, in nanoseconds; the same for every call about one connection
     */
    public static Step step(CmState state, CmInput in, long nowNs, CmParams params) {
        return switch (state) {
            case CmState.Closed over -> afterTheEnd(over, in);
            case CmState.Live live -> live(live, in, new Turn(live.conn(), nowNs, params));
        };
    }

    /**
     * Goes on from a state that somebody else has left: timers are armed for the time that is left of them. Orders need not
     * be repeated: the state was stored together with them. Calls that wait for an answer are forgotten: whoever made them
     * makes them again.
     */
    public static Step adopt(CmState state, long nowNs, CmParams params) {
        return switch (state) {
            case CmState.Closed over -> Step.to(over);
            case CmState.Live live -> {
                Turn turn = new Turn(live.conn(), nowNs, params);
                turn.count(CmCounter.ADOPTED);
                turn.rearm();
                yield turn.to(live instanceof CmState.Offloaded offloaded ? offloaded.withoutCalls() : live);
            }
        };
    }

    static Step live(CmState.Live state, CmInput in, Turn turn) {
        return switch (state) {
            case CmState.Inited inited -> InitedStates.step(turn, inited, in);
            case CmState.SynSent synSent -> HandshakeStates.step(turn, synSent, in);
            case CmState.SynRcvd synRcvd -> HandshakeStates.step(turn, synRcvd, in);
            case CmState.Established established -> ResponderStates.step(turn, established, in);
            case CmState.MpaReqSent mpaReqSent -> InitiatorStates.step(turn, mpaReqSent, in);
            case CmState.MpaReqRcvd mpaReqRcvd -> DecisionStates.step(turn, mpaReqRcvd, in);
            case CmState.CloseWait closeWait -> DecisionStates.step(turn, closeWait, in);
            case CmState.Orphaned orphaned -> DecisionStates.step(turn, orphaned, in);
            case CmState.Offloaded offloaded -> OffloadedStates.step(turn, offloaded, in);
            case CmState.MpaRejRcvd closing -> CloseStates.step(turn, closing, in);
            case CmState.FinWait1 closing -> CloseStates.step(turn, closing, in);
            case CmState.FinWait2 closing -> CloseStates.step(turn, closing, in);
            case CmState.Closing closing -> CloseStates.step(turn, closing, in);
            case CmState.LastAck closing -> CloseStates.step(turn, closing, in);
        };
    }

    /** A call that crossed the end is answered; nothing else means anything any more. */
    private static Step afterTheEnd(CmState.Closed over, CmInput in) {
        return switch (in) {
            case CmInput.Accept accept -> Step.to(over, new CmOutput.Answer(accept.call(), Cause.INVALID));
            case CmInput.Reject reject -> Step.to(over, new CmOutput.Answer(reject.call(), Cause.NONE));
            case CmInput.Disconnect disconnect -> Step.to(over, new CmOutput.Answer(disconnect.call(), Cause.NONE));
            case CmInput.Abort abort -> Step.to(over, new CmOutput.Answer(abort.call(), Cause.NONE));
            case CmInput.Arrived _, CmInput.TimerTick _, CmInput.FromNic _, CmInput.ApplicationGone _ -> Step.to(over);
            case CmInput.AddressDown _, CmInput.ListenerGone _, CmInput.Shutdown _ -> Step.to(over);
        };
    }
}
