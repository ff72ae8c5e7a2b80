package io.iwcm.nic.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketPlaceTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"unix:/run/iwcm.sock", "127.0.0.1:9000", "localhost:1", "[::1]:65535", "[fe80::1%eth0]:7"})
    void isWrittenAsItIsRead(String text) {
        assertThat(SocketPlace.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "unix:", "/run/x", "host", "host:", ":1", "a:b:1", "host:65536", "host:-1", "[::1]", "h:1 "})
    void refusesWhatIsNone(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> SocketPlace.parse(text));
    }

    @Test
    void refusesAPathThatTheKernelHasNoRoomFor() {
        assertThat(SocketPlace.parse("unix:/" + "x".repeat(106))).isInstanceOf(SocketPlace.Unix.class);
        assertThatIllegalArgumentException().isThrownBy(() -> SocketPlace.parse("unix:/" + "x".repeat(107)));
    }

    @Test
    void takesThePlaceOfASocketThatNobodyListensAtAndOfNothingElse() throws IOException {
        Path left = directory.resolve("left");
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(left))
                .close();
        assertThat(left).exists();
        var options = QemuStreamOptions.listening(new SocketPlace.Unix(left), 1500);
        try (Link _ = QemuStreamLink.open(options)) {
            assertThatThrownBy(() -> QemuStreamLink.open(options))
                    .isInstanceOf(LinkException.class)
                    .hasMessage("the QEMU link cannot listen at unix:" + left + ": Address already in use");
            assertThat(left).exists();
        }
        assertThat(left).doesNotExist();

        Path precious = Files.writeString(directory.resolve("precious"), "text");
        assertThatThrownBy(() -> QemuStreamLink.open(QemuStreamOptions.listening(new SocketPlace.Unix(precious), 1500)))
                .hasMessageEndingWith("precious: Address already in use");
        assertThat(precious).hasContent("text");
    }

    @Test
    void saysInOneSentenceWhyItCannotListen() {
        assertThatThrownBy(() -> QemuStreamLink.open(QemuStreamOptions.listening(
                        new SocketPlace.Unix(directory.resolve("none").resolve("socket")), 1500)))
                .isInstanceOf(LinkException.class)
                .hasMessage(
                        "the QEMU link cannot listen at unix:" + directory + "/none/socket: No such file or directory");
    }
}
