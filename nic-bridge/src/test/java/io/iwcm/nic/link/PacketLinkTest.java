package io.iwcm.nic.link;

import static io.iwcm.nic.link.Frames.BROADCAST;
import static io.iwcm.nic.link.Frames.MAC_A;
import static io.iwcm.nic.link.Frames.MAC_B;
import static io.iwcm.nic.link.Frames.MAC_C;
import static io.iwcm.nic.link.Frames.frame;
import static io.iwcm.nic.link.Frames.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iwcm.nic.testkit.KernelSide;
import io.iwcm.nic.testkit.RequiresRoot;
import io.iwcm.nic.testkit.RequiresTool;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames on a veth pair: with links at both ends, or with a kernel in a namespace of its own at the other. */
@RequiresRoot
@RequiresTool({"ip", "bash"})
@Timeout(60)
class PacketLinkTest {

    private static final String KERNEL = "198.18.77.1";
    private static final String OURS = "198.18.77.2";

    private final String here = KernelSide.unique();
    private final String there = KernelSide.unique();
    private final BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();

    @BeforeEach
    void makePair() {
        KernelSide.run("ip", "link", "add", "name", here, "mtu", "1500", "type", "veth", "peer", "name", there);
        set(here, "up");
    }

    @AfterEach
    void removePair() {
        KernelSide.run("bash", "-c", "! ip link show dev " + here + " > /dev/null 2>&1 || ip link delete dev " + here);
    }

    @Test
    void receivesWhatIsForItsMacOrAGroupAndNothingElse() throws Exception {
        set(there, "up");
        try (Link a = open(here, MAC_A);
                Link b = open(there, MAC_B)) {
            assertThat(b.name()).isEqualTo("packet:" + there);
            assertThat(b.mtu()).isEqualTo(1500);
            BlockingQueue<byte[]> own = new LinkedBlockingQueue<>();
            a.start(own::addAll);
            b.start(this::keepOurs);
            a.transmit(List.of(
                    frame(MAC_C, MAC_A, 1),
                    frame(MAC_B, MAC_A, 2),
                    frame(MAC_B ^ 0x0100_0000L, MAC_A, 3),
                    frame(MAC_B ^ 1, MAC_A, 4),
                    frame(0x3333_0000_0001L, MAC_A, 5),
                    frame(BROADCAST, MAC_A, 6, 1514)));
            assertThat(number(received.take())).isEqualTo(2);
            assertThat(number(received.take())).isEqualTo(5);
            assertThat(received.take()).isEqualTo(frame(BROADCAST, MAC_A, 6, 1514));
            assertThat(a.counters().sent()).isEqualTo(6);

            b.transmit(List.of(frame(MAC_A, MAC_B, 7), new byte[13], new byte[1515]));
            assertThat(number(takeOurs(own))).as("its own are not seen").isEqualTo(7);
            assertThat(b.counters().sendDropped()).isEqualTo(2);
        }
    }

    @Test
    void putsTheVlanTagBackThatTheKernelTakesOut() throws Exception {
        set(there, "up");
        byte[] tagged = frame(MAC_B, MAC_A, 0x0064_88b5, 1518); // The number stands where tag and type belong.
        ByteBuffer.wrap(tagged).putShort(12, (short) 0x8100).putShort(14, (short) 0x6064);
        byte[] service = tagged.clone();
        ByteBuffer.wrap(service).putShort(12, (short) 0x88a8);
        try (Link a = open(here, MAC_A);
                Link b = open(there, MAC_B)) {
            b.start(this::keepOurs);
            a.transmit(List.of(tagged));
            assertThat(received.take()).isEqualTo(tagged);
            a.transmit(List.of(Arrays.copyOf(service, 1514)));
            assertThat(received.take()).isEqualTo(Arrays.copyOf(service, 1514));
            assertThat(b.events()).containsEntry(LinkEvent.TAGS_RESTORED, 2L);
        }
    }

    @Test
    void keepsTheOrderOfMany() throws Exception {
        set(there, "up");
        try (Link a = open(here, MAC_A);
                Link b = open(there, MAC_B)) {
            b.start(this::keepOurs);
            a.transmit(Frames.numbered(MAC_B, MAC_A, 200));
            for (int number = 0; number < 200; number++) {
                assertThat(number(received.take())).isEqualTo(number);
            }
        }
    }

    @Test
    void finishesTheChecksumThatTheKernelLeftToACard() throws Exception {
        try (KernelSide kernel = new KernelSide();
                Link link = open(here, HandMadeHost.MAC)) {
            kernel.take(there, KERNEL + "/30");
            HandMadeHost host = new HandMadeHost(link);
            KernelSide.outcome(kernel.start("bash", "-c", "echo -n hello > /dev/udp/" + OURS + "/9"), List.of("bash"));
            byte[] datagram = host.await(HandMadeHost::isUdp);
            assertThat(transportSum(datagram)).isZero();
            assertThat(link.events().get(LinkEvent.CHECKSUMS_FINISHED)).isPositive();

            byte[] request = HandMadeHost.echoRequest(1500 - 28);
            link.transmit(List.of(request));
            assertThat(host.await(frame -> HandMadeHost.isIcmp(frame, 0))).hasSize(1514);
        }
    }

    @Test
    void noticesThatTheInterfaceGoesDownAndComesUp() throws Exception {
        set(there, "up");
        try (Link a = open(here, MAC_A);
                Link b = open(there, MAC_B)) {
            b.start(this::keepOurs);
            assertThat(b.events()).containsEntry(LinkEvent.DOWNS, 0L);
            set(there, "down");
            awaitEvent(b, LinkEvent.DOWNS, 1);
            b.transmit(List.of(frame(MAC_A, MAC_B, 1)));
            assertThat(b.counters().sendDropped()).isEqualTo(1);
            set(there, "up");
            awaitEvent(b, LinkEvent.UPS, 1);
            a.transmit(List.of(frame(MAC_B, MAC_A, 2)));
            assertThat(number(received.take())).isEqualTo(2);
        }
    }

    @Test
    void noticesThatTheOtherEndOfTheCableIsDown() {
        try (Link link = open(here, MAC_A)) {
            link.start(_ -> {});
            set(there, "up");
            awaitEvent(link, LinkEvent.UPS, 1);
            set(there, "down");
            awaitEvent(link, LinkEvent.DOWNS, 1);
        }
    }

    @Test
    void endsItsThreadWhenTheInterfaceIsDeleted() {
        try (Link link = open(here, MAC_A)) {
            link.start(_ -> {});
            Thread reader = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("iwcm-packet:" + here))
                    .findFirst()
                    .orElseThrow();
            KernelSide.run("ip", "link", "delete", "dev", here);
            Threads.joinUnlessCurrent(reader);
            link.transmit(List.of(frame(MAC_B, MAC_A, 1)));
            assertThat(link.counters().sendDropped()).isEqualTo(1);
        }
    }

    @Test
    void closesWhileItWaitsAndDropsWhatFollows() {
        Link link = open(here, MAC_A);
        link.start(_ -> {});
        link.close();
        link.close();
        link.transmit(List.of(frame(MAC_B, MAC_A, 1)));
        assertThat(link.counters().sendDropped()).isEqualTo(1);
    }

    @Test
    void isPromiscuousOnlyUnderAMacThatIsNotTheInterfaces() {
        String mac =
                KernelSide.run("cat", "/sys/class/net/" + here + "/address").strip();
        try (Link _ = open(here, Long.parseLong(mac.replace(":", ""), 16))) {
            assertThat(KernelSide.run("ip", "-d", "link", "show", "dev", here)).contains("promiscuity 0 ");
        }
        try (Link _ = open(here, MAC_A)) {
            assertThat(KernelSide.run("ip", "-d", "link", "show", "dev", here)).contains("promiscuity 1 ");
        }
    }

    @Test
    void saysInOneSentenceWhatIsWrong() {
        assertThatThrownBy(() -> open("iw-none", MAC_A))
                .isInstanceOf(LinkException.class)
                .hasMessage("the network interface iw-none cannot be opened: there is no such interface");
        assertThatThrownBy(() -> open("a/b", MAC_A)).hasMessageStartingWith("'a/b' cannot name a network interface");
        assertThatThrownBy(() -> open(here, BROADCAST)).hasMessage("ffffffffffff is no MAC address of a host");
    }

    private static Link open(String name, long mac) {
        return PacketLink.open(new PacketOptions(name, mac));
    }

    private void keepOurs(List<byte[]> batch) {
        batch.stream().filter(PacketLinkTest::isOurs).forEach(received::add);
    }

    private static byte[] takeOurs(BlockingQueue<byte[]> frames) throws InterruptedException {
        byte[] frame = frames.take();
        while (!isOurs(frame)) {
            frame = frames.take();
        }
        return frame;
    }

    /** The kernel at the same interface announces itself. */
    private static boolean isOurs(byte[] frame) {
        long source = ByteBuffer.wrap(frame).getLong(4) & 0xffff_ffff_ffffL;
        return source == MAC_A || source == MAC_B;
    }

    private static void set(String device, String state) {
        KernelSide.run("ip", "link", "set", "dev", device, state);
    }

    private static void awaitEvent(Link link, LinkEvent event, long times) {
        Map<LinkEvent, Long> events = link.events();
        while (events.get(event) < times) {
            Thread.onSpinWait();
            events = link.events();
        }
    }

    /** Zero over a right checksum, pseudo header included. */
    private static int transportSum(byte[] frame) {
        int length = ByteBuffer.wrap(frame).getShort(16) - 20;
        ByteBuffer covered = ByteBuffer.allocate(12 + length);
        covered.put(frame, 26, 8).putShort(frame[23]).putShort((short) length).put(frame, 34, length);
        return HandMadeHost.checksum(covered.array(), 0, 12 + length);
    }
}
