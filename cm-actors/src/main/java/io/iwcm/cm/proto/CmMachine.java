package io.iwcm.cm.proto;

/** The connection machine: {@code connect} or {@code admit} once, then {@code step} for whatever happens. */
public final class CmMachine {

    private CmMachine() {}

    /** Begins an active open. */
    public static Step connect(ConnectSpec spec, long nowNs, CmParams params) {
        throw new UnsupportedOperationException("connect " + spec + nowNs + params);
    }

    /** Begins a passive open. */
    public static Step admit(AdmitSpec spec, long nowNs, CmParams params) {
        throw new UnsupportedOperationException("admit " + spec + nowNs + params);
    }

    /** What {@code state} makes of {@code in}. The node ends when the next state's name is CLOSED. */
    public static Step step(CmState state, CmInput in, long nowNs, CmParams params) {
        throw new UnsupportedOperationException("step " + state + in + nowNs + params);
    }
}
