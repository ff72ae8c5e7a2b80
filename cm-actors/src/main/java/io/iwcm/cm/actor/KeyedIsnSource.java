package io.iwcm.cm.actor;

import io.iwcm.cm.proto.IsnSource;
import io.iwcm.nic.steer.SipHash;
import io.iwcm.nic.steer.TupleHash;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.SeqNum;
import java.security.SecureRandom;

/**
 * Initial sequence numbers by RFC 6528: a clock that counts every 4 µs plus a keyed function of the flow. The same flow's
 * numbers grow with time, those of different flows have no visible relation. The VLAN is part of the flow here (RFC 6528
 * has only addresses and ports): two VLANs may use the same addresses.
 */
public final class KeyedIsnSource implements IsnSource {

    private static final int CLOCK_NS = 4_000;

    private final TupleHash function;

    KeyedIsnSource(TupleHash function) {
        this.function = function;
    }

    /** With a 128-bit secret of its own, from the machine's strong source, gone when the process ends. */
    public static KeyedIsnSource ofFreshSecret() {
        SecureRandom random = new SecureRandom();
        return new KeyedIsnSource(new SipHash(random.nextLong(), random.nextLong()));
    }

    @Override
    public SeqNum isn(FlowKey flow, long nowNs) {
        return new SeqNum((int) (nowNs / CLOCK_NS) + (int) function.of(flow));
    }
}
