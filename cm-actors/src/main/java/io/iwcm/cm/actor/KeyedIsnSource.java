package io.iwcm.cm.actor;

import io.iwcm.cm.proto.IsnSource;
import io.iwcm.nic.steer.SipHash;
import io.iwcm.nic.steer.TupleHash;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.SeqNum;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * Initial sequence numbers by RFC 6528: a clock that counts every 4 µs plus a keyed function of the flow. The same flow's
 * numbers grow with time, those of different flows have no visible relation. The VLAN is part of the flow here (RFC 6528
 * has only addresses and ports): two VLANs may use the same addresses.
 */
public final class KeyedIsnSource implements IsnSource {

    private static final int CLOCK_NS = 4_000;

    private final TupleHash function;
    private final Optional<Secret> secret;

    KeyedIsnSource(TupleHash function) {
        this(function, Optional.empty());
    }

    private KeyedIsnSource(TupleHash function, Optional<Secret> secret) {
        this.function = function;
        this.secret = secret;
    }

    /** The key: whoever has it knows every initial sequence number. */
    record Secret(long low, long high) {
        @Override
        public String toString() {
            return "a secret";
        }
    }

    static KeyedIsnSource of(Secret secret) {
        return new KeyedIsnSource(new SipHash(secret.low(), secret.high()), Optional.of(secret));
    }

    /** The key of a source that has one. */
    static Optional<Secret> secretOf(IsnSource source) {
        return source instanceof KeyedIsnSource keyed ? keyed.secret : Optional.empty();
    }

    /** With a 128-bit secret of its own, from the machine's strong source, gone when the process ends. */
    public static KeyedIsnSource ofFreshSecret() {
        SecureRandom random = new SecureRandom();
        return of(new Secret(random.nextLong(), random.nextLong()));
    }

    @Override
    public SeqNum isn(FlowKey flow, long nowNs) {
        return new SeqNum((int) (nowNs / CLOCK_NS) + (int) function.of(flow));
    }
}
