package io.iwcm.cm.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.testkit.KernelSide;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The sockets of a kernel in a namespace: orders go to {@code kernel_peer.py}, which says what there are. */
final class KernelPeer implements AutoCloseable {

    private final Process process;
    private final BufferedReader answers;

    KernelPeer(KernelSide kernel) {
        try {
            String script = Path.of(
                            KernelPeer.class.getResource("kernel_peer.py").toURI())
                    .toString();
            process = kernel.start("python3", script);
            answers = process.inputReader(StandardCharsets.US_ASCII);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Gives an order and waits for the answer; the program has a deadline of its own for what it waits for. */
    String ask(Object... words) {
        StringBuilder order = new StringBuilder();
        for (Object word : words) order.append(word).append(' ');
        try {
            process.getOutputStream().write((order.toString().strip() + "\n").getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
            String answer = answers.readLine();
            assertThat(answer).as("the answer to '%s'", order).isNotNull();
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives an order that must have this answer. */
    void expect(String answer, Object... words) {
        assertThat(ask(words))
                .as("%s %s", words[0], words.length > 1 ? words[1] : "")
                .isEqualTo(answer);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
