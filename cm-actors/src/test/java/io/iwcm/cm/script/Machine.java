package io.iwcm.cm.script;

import io.iwcm.cm.proto.AdmitSpec;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CmMachine;
import io.iwcm.cm.proto.CmOutput;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.CmState;
import io.iwcm.cm.proto.CompletedSpec;
import io.iwcm.cm.proto.ConnectSpec;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.proto.Step;
import java.util.List;

/** What a script is played against: the connection machine, or a toy in the language's own tests. */
public interface Machine {

    /**
     * What a step came to.
     *
     * @param state goes into the next step; the machine's own business
     */
    record Move(Object state, StateName name, List<CmOutput> outputs) {}

    /** The connection machine. */
    Machine REAL = new Machine() {
        @Override
        public Move connect(ConnectSpec spec, long nowNs, CmParams params) {
            return move(CmMachine.connect(spec, nowNs, params));
        }

        @Override
        public Move admit(AdmitSpec spec, long nowNs, CmParams params) {
            return move(CmMachine.admit(spec, nowNs, params));
        }

        @Override
        public Move complete(CompletedSpec spec, long nowNs, CmParams params) {
            return move(CmMachine.complete(spec, nowNs, params));
        }

        @Override
        public Move step(Object state, CmInput in, long nowNs, CmParams params) {
            return move(CmMachine.step((CmState) state, in, nowNs, params));
        }

        @Override
        public Move adopt(Object state, long nowNs, CmParams params) {
            return move(CmMachine.adopt((CmState) state, nowNs, params));
        }

        private static Move move(Step step) {
            return new Move(step.next(), step.next().name(), step.outputs());
        }
    };

    Move connect(ConnectSpec spec, long nowNs, CmParams params);

    Move admit(AdmitSpec spec, long nowNs, CmParams params);

    Move step(Object state, CmInput in, long nowNs, CmParams params);

    /** Begins with what a cookie brought back. */
    default Move complete(CompletedSpec spec, long nowNs, CmParams params) {
        throw new UnsupportedOperationException("nobody knows what a cookie is");
    }

    /** Goes on from what another has left; only what a {@link CmState} is can be left. */
    default Move adopt(Object state, long nowNs, CmParams params) {
        throw new UnsupportedOperationException("nobody goes on from " + state);
    }
}
