package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.SeqNum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A send buffer holds what may have to be sent again, and not an octet more. */
class SendBufferTest {

    @ParameterizedTest
    @ValueSource(ints = {1000, -3})
    void forgetsWhatIsAcknowledgedAndKeepsTheRest(int first) {
        SeqNum start = new SeqNum(first);
        SendBuffer buffer = new SendBuffer(start, 100);
        buffer.append(Octets.ofHex("0102030405"));
        buffer.append(Octets.ofHex("060708"));

        buffer.acknowledge(start);
        assertThat(buffer.length()).isEqualTo(8);
        buffer.acknowledge(start.plus(2));
        assertThat(buffer.length()).isEqualTo(6);
        assertThat(buffer.run(start.plus(2), 100)).isEqualTo(Octets.ofHex("030405"));
        buffer.acknowledge(start.plus(6));
        assertThat(buffer.length()).isEqualTo(2);
        assertThat(buffer.run(start.plus(6), 100)).isEqualTo(Octets.ofHex("0708"));
        assertThat(buffer.end()).isEqualTo(start.plus(8));

        buffer.acknowledge(start.plus(9)); // The FIN behind it too.
        assertThat(buffer.length()).isZero();
        assertThat(buffer.end()).isEqualTo(start.plus(8));
    }

    @Test
    void beginsASegmentWithEachMessage() {
        SendBuffer buffer = new SendBuffer(new SeqNum(10), 100);
        buffer.append(Octets.EMPTY);
        buffer.append(Octets.ofHex("010203"));
        buffer.append(Octets.ofHex("0405"));

        assertThat(buffer.run(new SeqNum(10), 2)).isEqualTo(Octets.ofHex("0102"));
        assertThat(buffer.run(new SeqNum(12), 100)).isEqualTo(Octets.ofHex("03"));
        assertThat(buffer.run(new SeqNum(13), 100)).isEqualTo(Octets.ofHex("0405"));
        assertThat(buffer.run(new SeqNum(15), 100)).isEqualTo(Octets.EMPTY);
    }
}
