package io.iwcm.cm.ops;

import io.iwcm.nic.bridge.NanoClock;
import io.iwcm.nic.rnic.RnicConfig;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.steer.SipHash;
import java.security.SecureRandom;

/** Makes NICs. */
final class Nics {

    private static final SecureRandom RANDOM = new SecureRandom();

    private Nics() {}

    /** A software RNIC with a secret of its own that lives by the system's clock. */
    static SoftRnic soft(RnicConfig config) {
        return new SoftRnic(config, new SipHash(RANDOM.nextLong(), RANDOM.nextLong()), NanoClock.SYSTEM.nowNs());
    }
}
