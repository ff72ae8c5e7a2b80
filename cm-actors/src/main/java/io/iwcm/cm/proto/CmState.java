package io.iwcm.cm.proto;

import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.wire.FlowKey;

/** Where a connection stands. One record per state, holding only what that state has. */
public interface CmState extends Checkpoint {

    StateName name();

    FlowKey flow();
}
