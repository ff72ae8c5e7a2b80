package io.iwcm.nic.steer;

import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.Ipv6Address;

/**
 * SipHash-2-4 (Aumasson, Bernstein 2012) over the words of a flow.
 *
 * @param key0 first half of the secret: from a strong source, drawn once per start
 * @param key1 second half of the secret
 */
public record SipHash(long key0, long key1) implements TupleHash {

    @Override
    public long of(FlowKey flow) {
        return absorbed(flow).finish();
    }

    /** The hash of a flow and one word more. */
    long of(FlowKey flow, long more) {
        Rounds rounds = absorbed(flow);
        rounds.word(more);
        return rounds.finish();
    }

    private Rounds absorbed(FlowKey flow) {
        Rounds rounds = new Rounds(key0, key1);
        absorb(rounds, flow.local());
        absorb(rounds, flow.remote());
        rounds.word((long) flow.vlan() << 8 | flow.local().address().version());
        return rounds;
    }

    private static void absorb(Rounds rounds, Endpoint end) {
        IpAddress address = end.address();
        switch (address) {
            case Ipv4Address(int bits) -> rounds.word(Integer.toUnsignedLong(bits));
            case Ipv6Address(long high, long low) -> {
                rounds.word(high);
                rounds.word(low);
            }
        }
        rounds.word(end.port());
    }

    @Override
    public String toString() {
        return "SipHash[secret]";
    }

    /** The state of one hash; words are absorbed in order, the last one with the length in octets. */
    static final class Rounds {
        private long v0;
        private long v1;
        private long v2;
        private long v3;
        private int words;

        Rounds(long key0, long key1) {
            v0 = key0 ^ 0x736f6d6570736575L;
            v1 = key1 ^ 0x646f72616e646f6dL;
            v2 = key0 ^ 0x6c7967656e657261L;
            v3 = key1 ^ 0x7465646279746573L;
        }

        void word(long word) {
            absorb(word);
            words++;
        }

        long finish() {
            return finish((long) (words * 8) << 56);
        }

        /** @param last the octets that did not fill a word, and the length in octets in the highest octet */
        long finish(long last) {
            absorb(last);
            v2 ^= 0xff;
            for (int i = 0; i < 4; i++) {
                round();
            }
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void absorb(long word) {
            v3 ^= word;
            round();
            round();
            v0 ^= word;
        }

        private void round() {
            v0 += v1;
            v2 += v3;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v1;
            v0 += v3;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
