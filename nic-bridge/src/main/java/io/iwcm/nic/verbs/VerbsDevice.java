package io.iwcm.nic.verbs;

import io.iwcm.nic.spi.Rnic;

/** An RNIC whose queue pairs applications in its process can use. Called by the thread that calls the {@link Rnic}. */
public interface VerbsDevice {

    /** Carries an order out. */
    void verbs(VerbsOrder order, long nowNs, Rnic.Output out);
}
