package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.link.PcapReader;
import io.iwcm.nic.wire.FrameParser;
import io.iwcm.nic.wire.Parsed;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoTest {

    private static Cli demo(String options) {
        return Cli.run(("demo --once " + options).strip().split(" +"));
    }

    @Test
    void timelineTellsFramesStatesAndEventsInOrder() {
        Cli run = demo("");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .containsSubsequence(
                        "initiator  =",
                        "INITED -> SYN_SENT",
                        "SYN seq 0 win 65535 mss 1460 ws 2",
                        "SYN-ACK seq 0 ack 1",
                        "MPA request rev 2 crc ird 8 ord 4 peer-to-peer rtr write,read private data \"hello\"",
                        "! ",
                        "CONNECT_REQUEST mpa rev 2, peer said ird 8 ord 4",
                        "MPA reply rev 2 crc ird 16 ord 8 peer-to-peer rtr read private data \"hello\"",
                        "FPDU RDMA Read Request, zero-length",
                        "ESTABLISHED ird 16 ord 8",
                        "FIN-ACK",
                        "OK: 1 connection opened, negotiated and closed in order over IPv4, MPA revision 2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--ipv6 --vlan 7",
                "--mpa 1",
                "--mpa 1 --reject --ipv6",
                "--reject --private-data no",
                "--client-server --vlan 4094",
                "--ird 0 --ord 0",
                "--ird 16382 --ord 16382",
                "--connections 20",
                "--loss 0.05 --duplicate 0.1 --reorder 0.1 --seed 5 --connections 6",
            })
    void everyVariantEndsWithEverythingRightAndGivenBack(String options) {
        Cli run = demo("--quiet " + options);

        assertThat(run.out()).startsWith("OK: ").contains("everything was given back");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void captureHoldsBothDirectionsAndNothingThatOurOwnParserRefuses(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("demo.pcap");

        assertThat(demo("--quiet --pcap " + file).exitCode()).isZero();

        int tcp = 0;
        try (PcapReader reader = PcapReader.open(file)) {
            for (var frame = reader.next(); frame.isPresent(); frame = reader.next()) {
                Parsed parsed = FrameParser.parse(frame.get().octets());
                assertThat(parsed).isNotInstanceOf(Parsed.Dropped.class);
                if (parsed instanceof Parsed.Tcp) tcp++;
            }
        }
        assertThat(tcp).isGreaterThanOrEqualTo(10);
    }

    @Test
    void aWireThatLosesEverythingIsNotOk() {
        Cli run = demo("--quiet --loss 1 --timeout 1");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).startsWith("NOT OK").contains("WRONG  only 0 of 1 connections were over after 1 s");
    }
}
