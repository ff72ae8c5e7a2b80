package io.iwcm.nic.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iwcm.nic.testkit.KernelSide;
import io.iwcm.nic.testkit.RequiresTap;
import io.iwcm.nic.testkit.RequiresTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Opening, refusing, closing: no interface here gets an address. */
@RequiresTap
@RequiresTool("ip")
@Timeout(60)
class TapLifecycleTest {

    private final String name = KernelSide.unique();

    @Test
    void makesTheInterfaceSetsItUpAndTakesItAway() throws IOException {
        try (TapLink link = TapLink.open(TapOptions.named(name).withMtu(1400))) {
            assertThat(link.name()).isEqualTo("tap:" + name);
            assertThat(link.mtu()).isEqualTo(1400);
            assertThat(Files.readString(system("mtu"))).isEqualTo("1400\n");
            assertThat(Integer.decode(Files.readString(system("flags")).strip()) & 1)
                    .isEqualTo(1);
        }
        assertThat(system("")).doesNotExist();
    }

    @Test
    void leavesMtuAndFlagsAloneWhenToldSo() throws IOException {
        try (TapLink link = TapLink.open(TapOptions.named(name).leftDown())) {
            assertThat(link.mtu()).isEqualTo(1500);
            assertThat(Integer.decode(Files.readString(system("flags")).strip()) & 1)
                    .isZero();
        }
    }

    @Test
    void leavesAnInterfaceThatPersists() {
        KernelSide.run("ip", "tuntap", "add", "dev", name, "mode", "tap");
        try {
            TapLink.open(TapOptions.named(name).existing()).close();
            assertThat(system("")).exists();
        } finally {
            KernelSide.run("ip", "link", "delete", "dev", name);
        }
    }

    @Test
    void saysInOneSentenceWhatIsWrong() {
        refuses(
                TapOptions.named(name).existing(),
                name + " cannot be opened: it does not exist, and 'ip tuntap add dev " + name
                        + " mode tap' would make it");
        refuses(
                TapOptions.named("lo"),
                "lo cannot be opened: an interface of that name exists and is not a TAP, or is one"
                        + " with several queues");
        try (TapLink _ = TapLink.open(TapOptions.named(name))) {
            refuses(TapOptions.named(name), name + " cannot be opened: another program is using it");
        }
        assertThatThrownBy(() -> TapLink.open(TapOptions.named(name), "/dev/no-such-tun"))
                .isInstanceOf(LinkException.class)
                .hasMessage("the TAP interface " + name + " cannot be opened: /dev/no-such-tun does not exist, and"
                        + " 'modprobe tun' or the container's --device option would bring it");
        assertThatThrownBy(() -> TapLink.open(TapOptions.named(name), "/dev/null"))
                .isInstanceOf(LinkException.class)
                .hasMessage("the TAP interface " + name + " cannot be opened: Inappropriate ioctl for device");
    }

    @Test
    @RequiresTool("setpriv")
    void saysWhichRightIsMissing() {
        List<String> command = new ArrayList<>(List.of("setpriv", "--bounding-set=-net_admin"));
        command.addAll(KernelSide.java(
                OpenTap.class,
                List.of(
                        OpenTap.class,
                        TapLink.class,
                        org.slf4j.Logger.class,
                        ch.qos.logback.classic.Logger.class,
                        ch.qos.logback.core.Context.class),
                name));
        assertThat(KernelSide.run(command.toArray(String[]::new)))
                .endsWith("the TAP interface " + name + " cannot be opened: permission is denied; it needs root,"
                        + " CAP_NET_ADMIN, or that root makes it for you ('ip tuntap add dev " + name
                        + " mode tap user USER')\n");
    }

    @Test
    void givesBackEveryDescriptorAndThread() throws IOException {
        openAndClose(20);
        long before = openDescriptors();
        openAndClose(200);
        assertThat(openDescriptors()).isCloseTo(before, org.assertj.core.data.Offset.offset(5L));
        assertThat(reader()).isEmpty();
    }

    @Test
    void givesBackTheDescriptorOfARefusedOpen() throws IOException {
        try (TapLink _ = TapLink.open(TapOptions.named(name))) {
            refuses(TapOptions.named(name), "");
            long before = openDescriptors();
            for (int i = 0; i < 100; i++) {
                refuses(TapOptions.named(name), "");
            }
            assertThat(openDescriptors()).isCloseTo(before, org.assertj.core.data.Offset.offset(5L));
        }
    }

    @Test
    void letsAReceiverCloseItsOwnLink() throws InterruptedException {
        TapLink link = TapLink.open(TapOptions.named(name).leftDown());
        var received = new CountDownLatch(1);
        link.start(_ -> {
            link.close();
            received.countDown();
        });
        Thread thread = reader().orElseThrow();
        KernelSide.run("ip", "link", "set", "dev", name, "up"); // The kernel announces itself: neighbours, groups.
        received.await();
        thread.join();
        assertThat(system("")).doesNotExist();
        link.close();
    }

    @Test
    void endsItsThreadAndCountsDropsWhenTheInterfaceIsDeleted() throws InterruptedException {
        try (TapLink link = TapLink.open(TapOptions.named(name))) {
            link.start(_ -> {});
            Thread thread = reader().orElseThrow();
            KernelSide.run("ip", "link", "delete", "dev", name);
            thread.join();
            link.transmit(List.of(new byte[60]));
            assertThat(link.counters().sendDropped()).isEqualTo(1);
        }
    }

    @Test
    void dropsAndCountsWhatIsTransmittedAfterClose() {
        TapLink link = TapLink.open(TapOptions.named(name));
        link.close();
        link.close();
        link.transmit(List.of(new byte[60], new byte[60]));
        assertThat(link.counters()).isEqualTo(new LinkCounters(0, 0, 0, 2));
    }

    private void openAndClose(int times) {
        for (int i = 0; i < times; i++) {
            try (TapLink link = TapLink.open(TapOptions.named(name))) {
                link.start(_ -> {});
            }
        }
    }

    private static void refuses(TapOptions options, String sentenceEnd) {
        assertThatThrownBy(() -> TapLink.open(options))
                .isInstanceOf(LinkException.class)
                .hasMessageStartingWith("the TAP interface ")
                .hasMessageEndingWith(sentenceEnd);
    }

    private Optional<Thread> reader() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("iwcm-tap-" + name))
                .findFirst();
    }

    private static long openDescriptors() throws IOException {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private Path system(String file) {
        return Path.of("/sys/class/net", name, file);
    }
}
