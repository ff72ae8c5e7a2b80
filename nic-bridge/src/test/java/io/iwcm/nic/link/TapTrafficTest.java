package io.iwcm.nic.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.testkit.KernelSide;
import io.iwcm.nic.testkit.RequiresTap;
import io.iwcm.nic.testkit.RequiresTool;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames between a TAP link and a real kernel that sits in a network namespace of its own. */
@RequiresTap
@RequiresTool({"ip", "bash"})
@Timeout(60)
class TapTrafficTest {

    private static final String KERNEL = "198.18.77.1";
    private static final String OURS = "198.18.77.2";

    private final String name = KernelSide.unique();
    private KernelSide kernel;
    private TapLink link;
    private HandMadeHost host;

    @BeforeEach
    void attach() {
        kernel = new KernelSide();
        link = TapLink.open(TapOptions.named(name).withMtu(9000).leftDown());
        kernel.take(name, KERNEL + "/30");
        host = new HandMadeHost(link);
    }

    @AfterEach
    void detach() {
        try (KernelSide _ = kernel) {
            if (link != null) {
                link.close();
            }
        }
    }

    @Test
    void kernelAsksForOurMacAndThenSendsToIt() throws Exception {
        inside("echo -n hello > /dev/udp/" + OURS + "/9");
        byte[] request = host.await(HandMadeHost::isArpRequest);
        assertThat(ByteBuffer.wrap(request).getInt(38)).isEqualTo(HandMadeHost.ADDRESS);

        byte[] datagram = host.await(HandMadeHost::isUdp);
        assertThat(ByteBuffer.wrap(datagram).getLong(0) >>> 16).isEqualTo(HandMadeHost.MAC);
        assertThat(payload(datagram)).isEqualTo("hello");
        assertThat(kernel.ip("neigh", "show", "dev", name)).contains(OURS + " lladdr 02:00:5e:00:00:02");
    }

    @Test
    void kernelAnswersOurEchoUpToTheWholeMtu() throws Exception {
        byte[] request = HandMadeHost.echoRequest(9000 - 28);
        link.transmit(List.of(request));
        byte[] reply = host.await(frame -> HandMadeHost.isIcmp(frame, 0));
        assertThat(reply).hasSize(9014);
        assertThat(Arrays.copyOfRange(reply, 38, 9014)).isEqualTo(Arrays.copyOfRange(request, 38, 9014));
        assertThat(HandMadeHost.checksum(reply, 34, 8980)).isZero();
    }

    @Test
    void aPingOfTheKernelSucceeds() {
        List<String> command = KernelSide.java(Reachable.class, List.of(Reachable.class), OURS);
        KernelSide.outcome(kernel.start(command.toArray(String[]::new)), command);
    }

    @Test
    void keepsTheKernelsOrder() throws Exception {
        // While it asks for our MAC the kernel queues, and what comes right after the answer may overtake the queue.
        inside("echo -n first > /dev/udp/" + OURS + "/9");
        host.await(HandMadeHost::isUdp);
        inside("for i in {0..499}; do echo -n $i > /dev/udp/" + OURS + "/9; done");
        List<String> payloads = new ArrayList<>();
        while (payloads.size() < 500) {
            payloads.add(payload(host.await(HandMadeHost::isUdp)));
        }
        assertThat(payloads)
                .isEqualTo(IntStream.range(0, 500).mapToObj(Integer::toString).toList());
    }

    @Test
    void countsWhatPassedAndWhatItCouldNotTake() throws Exception {
        kernel.ip("link", "set", "dev", name, "down");
        link.transmit(List.of(HandMadeHost.echoRequest(10))); // A down interface takes nothing.
        assertThat(link.counters().sendDropped()).isEqualTo(1);
        assertThat(link.counters().sent()).isZero();

        kernel.ip("link", "set", "dev", name, "up");
        link.transmit(List.of(HandMadeHost.echoRequest(10), new byte[13], new byte[9015]));
        host.await(frame -> HandMadeHost.isIcmp(frame, 0));
        assertThat(link.counters().sendDropped()).isEqualTo(3);
        assertThat(link.counters().received()).isPositive();
    }

    private void inside(String script) {
        KernelSide.outcome(kernel.start("bash", "-c", script), List.of("bash"));
    }

    private static String payload(byte[] datagram) {
        int length = ByteBuffer.wrap(datagram).getShort(38) - 8;
        return new String(datagram, 42, length, StandardCharsets.US_ASCII);
    }
}
