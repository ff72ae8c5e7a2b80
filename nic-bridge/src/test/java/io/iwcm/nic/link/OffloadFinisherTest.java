package io.iwcm.nic.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OffloadFinisherTest {

    private static final int ACK_PSH_FIN_CWR = 0x99;

    @ParameterizedTest(name = "IPv6 {0}, tags {1}, {2} octets")
    @CsvSource({
        "false, 0, 1",
        "false, 0, 1448",
        "false, 0, 1449",
        "false, 0, 60000",
        "false, 1, 5001",
        "true, 0, 1428",
        "true, 0, 1429",
        "true, 2, 40001",
        "true, 1, 3"
    })
    void cutsAndFinishesWhatACardWould(boolean v6, int tags, int octets) {
        byte[] large = tcp(v6, tags, octets);
        List<byte[]> segments = OffloadFinisher.finished(large.clone(), 1500);

        int ip = 14 + 4 * tags;
        int most = v6 ? 1428 : 1448;
        assertThat(segments).hasSize((octets + most - 1) / most);
        ByteBuffer data = ByteBuffer.allocate(octets);
        for (int n = 0; n < segments.size(); n++) {
            byte[] segment = segments.get(n);
            ByteBuffer view = ByteBuffer.wrap(segment);
            int tcp = ip + (v6 ? 40 : 20);
            boolean last = n == segments.size() - 1;
            assertThat(segment.length - ip).isLessThanOrEqualTo(1500);
            assertThat(Arrays.copyOf(segment, ip)).isEqualTo(Arrays.copyOf(large, ip));
            if (v6) {
                assertThat(view.getShort(ip + 4)).isEqualTo((short) (segment.length - tcp));
            } else {
                assertThat(view.getShort(ip + 2)).isEqualTo((short) (segment.length - ip));
                assertThat(view.getShort(ip + 4)).as("identification").isEqualTo((short) (0xffff + n));
                assertThat(segments.size() == 1 || HandMadeHost.checksum(segment, ip, 20) == 0)
                        .as("a header of its own has a right checksum")
                        .isTrue();
            }
            assertThat(view.getInt(tcp + 4)).as("sequence").isEqualTo(-1000 + n * most);
            assertThat(view.getInt(tcp + 8)).as("acknowledgement").isEqualTo(77);
            int flags = segment[tcp + 13] & 0xff;
            assertThat(flags & 0x09).as("PSH and FIN").isEqualTo(last ? 0x09 : 0);
            assertThat(flags & 0x80).as("CWR").isEqualTo(n == 0 ? 0x80 : 0);
            assertThat(transportSum(segment, ip, v6, 6)).isZero();
            data.put(segment, tcp + 32, segment.length - tcp - 32);
        }
        assertThat(data.array()).isEqualTo(Arrays.copyOfRange(large, large.length - octets, large.length));
    }

    @Test
    void leavesThePaddingBehindAShortSegmentOutOfTheSum() {
        byte[] padded = Arrays.copyOf(tcp(false, 0, 1), 80);
        Arrays.fill(padded, 67, 80, (byte) 0x55);
        byte[] finished = OffloadFinisher.finished(padded, 1500).getFirst();
        assertThat(finished).hasSize(80);
        assertThat(transportSum(Arrays.copyOf(finished, 67), 14, false, 6)).isZero();
    }

    @Test
    void aUdpChecksumOfZeroIsWrittenAsOnes() {
        byte[] frame = tcp(false, 0, 0);
        frame[23] = 17;
        ByteBuffer.wrap(frame).putShort(34 + 6, (short) 0);
        int missing = transportSum(frame, 14, false, 17);
        ByteBuffer.wrap(frame).putShort(34, (short) (ByteBuffer.wrap(frame).getShort(34) + missing)); // Now it is zero.
        byte[] finished = OffloadFinisher.finished(frame, 1500).getFirst();
        assertThat(ByteBuffer.wrap(finished).getShort(34 + 6)).isEqualTo((short) -1);
    }

    @Test
    void leavesAloneWhatItCannotRead() {
        byte[] tcp = tcp(false, 0, 3000);
        List<byte[]> unreadable = new ArrayList<>();
        for (int length = 0; length < 66; length++) {
            unreadable.add(Arrays.copyOf(tcp, length));
        }
        unreadable.add(with(tcp, 14, 0x44)); // Header length 16.
        unreadable.add(with(tcp, 20, 0x20)); // More fragments.
        unreadable.add(with(tcp, 16, 0xff)); // Longer than the frame.
        unreadable.add(with(tcp, 23, 132)); // SCTP
        unreadable.add(with(tcp, 34 + 12, 0x40)); // TCP header length 16.
        for (byte[] frame : unreadable) {
            byte[] before = frame.clone();
            assertThat(OffloadFinisher.finished(frame, 1500)).containsExactly(before);
        }
    }

    private static byte[] with(byte[] frame, int at, int octet) {
        byte[] changed = frame.clone();
        changed[at] = (byte) octet;
        return changed;
    }

    /** With timestamps' room of options, an unfinished checksum and every flag that segmenting is about. */
    private static byte[] tcp(boolean v6, int tags, int octets) {
        ByteBuffer frame = ByteBuffer.allocate(14 + 4 * tags + (v6 ? 40 : 20) + 32 + octets);
        frame.put(new byte[12]);
        for (int tag = tags; tag > 0; tag--) {
            frame.putShort((short) (tag == 2 ? 0x88a8 : 0x8100)).putShort((short) 100);
        }
        frame.putShort((short) (v6 ? 0x86dd : 0x0800));
        if (v6) {
            frame.putInt(0x6000_0000).putShort((short) (32 + octets)).putShort((short) 0x0640);
            frame.putLong(0xfd00_0000_0000_0000L)
                    .putLong(1)
                    .putLong(0xfd00_0000_0000_0000L)
                    .putLong(2);
        } else {
            frame.putShort((short) 0x4500).putShort((short) (52 + octets)).putInt(0xffff_4000);
            frame.putInt(0x4006_0000).putInt(HandMadeHost.KERNEL).putInt(HandMadeHost.ADDRESS);
        }
        frame.putShort((short) 4420).putShort((short) 5000).putInt(-1000).putInt(77);
        frame.putShort((short) (0x8000 | ACK_PSH_FIN_CWR))
                .putShort((short) 500)
                .putShort((short) 0x1234)
                .putShort((short) 0);
        frame.put(new byte[12]);
        for (int i = 0; i < octets; i++) {
            frame.put((byte) (i * 7));
        }
        return frame.array();
    }

    private static int transportSum(byte[] frame, int ip, boolean v6, int protocol) {
        int tcp = ip + (v6 ? 40 : 20);
        int addresses = ip + (v6 ? 8 : 12);
        ByteBuffer covered = ByteBuffer.allocate(tcp - addresses + 4 + frame.length - tcp);
        covered.put(frame, addresses, tcp - addresses).putShort((short) protocol);
        covered.putShort((short) (frame.length - tcp)).put(frame, tcp, frame.length - tcp);
        return HandMadeHost.checksum(covered.array(), 0, covered.capacity());
    }
}
