package io.iwcm.cm.script;

import io.iwcm.cm.proto.AdmitSpec;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CmMachine;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.CmState;
import io.iwcm.cm.proto.ConnectSpec;
import io.iwcm.cm.proto.Step;

/** What a script is played against: the connection machine, or a toy in the language's own tests. */
public interface Machine {

    /** The connection machine. */
    Machine REAL = new Machine() {
        @Override
        public Step connect(ConnectSpec spec, long nowNs, CmParams params) {
            return CmMachine.connect(spec, nowNs, params);
        }

        @Override
        public Step admit(AdmitSpec spec, long nowNs, CmParams params) {
            return CmMachine.admit(spec, nowNs, params);
        }

        @Override
        public Step step(CmState state, CmInput in, long nowNs, CmParams params) {
            return CmMachine.step(state, in, nowNs, params);
        }
    };

    Step connect(ConnectSpec spec, long nowNs, CmParams params);

    Step admit(AdmitSpec spec, long nowNs, CmParams params);

    Step step(CmState state, CmInput in, long nowNs, CmParams params);
}
