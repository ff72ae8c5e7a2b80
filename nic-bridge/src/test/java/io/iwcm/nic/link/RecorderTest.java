package io.iwcm.nic.link;

import static io.iwcm.nic.link.Frames.BROADCAST;
import static io.iwcm.nic.link.Frames.MAC_A;
import static io.iwcm.nic.link.Frames.MAC_B;
import static io.iwcm.nic.link.Frames.frame;
import static io.iwcm.nic.link.Frames.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iwcm.nic.link.Frames.Sink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {

    private final MemoryWire wire = MemoryWire.driven(WireOptions.PLAIN.withLatencyNs(100));
    private final Link a = wire.attach("a", 1500);
    private final Link b = wire.attach("b", 1500);

    @TempDir
    Path directory;

    @Test
    void writesTheHeaderOfANanosecondEthernetCaptureOctetByOctet() {
        var out = new ByteArrayOutputStream();
        try (var writer = PcapWriter.onto(out, "memory")) {
            writer.write(1_700_000_000_123_456_789L, HexFormat.of().parseHex("0102030405"));
        }
        assertThat(HexFormat.of().formatHex(out.toByteArray()))
                .isEqualTo("4d3cb2a1" + "0200" + "0400" + "00000000" + "00000000" + "00000400" + "01000000" + "00f15365"
                        + "15cd5b07" + "05000000" + "05000000" + "0102030405");
    }

    @Test
    void recordsBothDirectionsWithTheClockItWasGiven() {
        Path file = directory.resolve("a.pcap");
        Sink atA = new Sink();
        try (Recorder recorder = Recorder.around(a, file, wire::nowNs)) {
            recorder.start(atA);
            b.start(batch -> b.transmit(List.of(frame(MAC_A, MAC_B, Frames.number(batch.getFirst()) + 100))));
            recorder.transmit(List.of(frame(BROADCAST, MAC_A, 1)));
            wire.run(5_000_000_007L);
            recorder.transmit(List.of(frame(MAC_B, MAC_A, 2)));
            wire.run(6_000_000_000L);
            assertThat(recorder.failure()).isEmpty();
            assertThat(recorder.counters()).isEqualTo(a.counters());
            assertThat(recorder.name()).isEqualTo("memory:a");
            assertThat(recorder.mtu()).isEqualTo(1500);
        }
        assertThat(atA.numbers()).containsExactly(101, 102);
        List<PcapFrame> frames = PcapReader.readAll(file);
        assertThat(frames).extracting(PcapFrame::epochNs).containsExactly(0L, 200L, 5_000_000_007L, 5_000_000_207L);
        assertThat(frames).extracting(f -> Frames.number(f.octets())).containsExactly(1, 101, 2, 102);
        assertThat(frames.getFirst().octets()).isEqualTo(frame(BROADCAST, MAC_A, 1));
    }

    @Test
    void canBeReadWhileItGrows() {
        Path file = directory.resolve("a.pcap");
        try (Recorder recorder = Recorder.around(a, file, wire::nowNs)) {
            recorder.transmit(numbered(BROADCAST, MAC_A, 3));
            assertThat(PcapReader.readAll(file)).hasSize(3);
        }
    }

    @Test
    void closesLinkAndFileOnceAndRecordsNothingAfterwards() throws IOException {
        Path file = directory.resolve("a.pcap");
        Recorder recorder = Recorder.around(a, file, wire::nowNs);
        recorder.transmit(numbered(BROADCAST, MAC_A, 1));
        recorder.close();
        recorder.close();
        long size = Files.size(file);
        recorder.transmit(numbered(BROADCAST, MAC_A, 1));
        assertThat(Files.size(file)).isEqualTo(size).isEqualTo(24 + 16 + 64);
        assertThat(a.counters().sendDropped()).isEqualTo(1);
        assertThat(recorder.failure()).isEmpty();
    }

    @Test
    void saysInOneSentenceWhyAFileCannotBeWritten() {
        Path nowhere = directory.resolve("missing").resolve("a.pcap");
        assertThatThrownBy(() -> Recorder.around(a, nowhere, wire::nowNs))
                .isInstanceOf(LinkException.class)
                .hasMessage("the capture file " + nowhere + " cannot be written: its directory does not exist");
        assertThatThrownBy(() -> Recorder.around(a, directory, wire::nowNs))
                .isInstanceOf(LinkException.class)
                .hasMessage("the capture file " + directory + " cannot be written: Is a directory");
    }

    @Test
    void letsFramesPassWhenTheDiskIsFullAndSaysSo() {
        var full = new FullDisk();
        Recorder recorder = Recorder.around(a, PcapWriter.onto(full, "full.pcap"), wire::nowNs);
        Sink atB = new Sink();
        b.start(atB);
        recorder.transmit(numbered(BROADCAST, MAC_A, 2));
        recorder.transmit(numbered(BROADCAST, MAC_A, 2));
        wire.run(100);
        assertThat(atB.numbers()).containsExactly(0, 1, 0, 1);
        assertThat(recorder.failure())
                .map(Throwable::getMessage)
                .hasValue("the capture file full.pcap cannot be written: No space left on device");
        recorder.close();
        assertThat(full.closed).isTrue();
    }

    private static final class FullDisk extends OutputStream {
        private boolean closed;

        @Override
        public void write(int octet) throws IOException {
            throw new IOException("No space left on device");
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
