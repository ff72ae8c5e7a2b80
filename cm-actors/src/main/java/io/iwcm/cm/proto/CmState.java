package io.iwcm.cm.proto;

import io.iwcm.nic.wire.FlowKey;

/** Where a connection stands. One record per state, holding only what that state has. */
public interface CmState {

    StateName name();

    FlowKey flow();
}
