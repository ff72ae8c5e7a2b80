package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusUtil;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;

/** The logging configurations in config/, as logback takes them. */
class LogbackFilesTest {

    private final LoggerContext context = new LoggerContext();

    LogbackFilesTest() {
        context.setMDCAdapter(new LogbackMDCAdapter()); // As the binding to SLF4J would.
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private ConsoleAppender<ILoggingEvent> configure(String file) throws Exception {
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Checkout.root().resolve("config").resolve(file).toFile());
        assertThat(new StatusUtil(context).getHighestLevel(0))
                .as(context.getStatusManager().getCopyOfStatusList().toString())
                .isLessThan(Status.WARN);
        return (ConsoleAppender<ILoggingEvent>)
                context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("err");
    }

    @ParameterizedTest
    @ValueSource(strings = {"logback.xml", "logback-json.xml"})
    void logToStandardErrorAndKeepPekkoQuiet(String file) throws Exception {
        assertThat(configure(file).getTarget()).isEqualTo("System.err");
        assertThat(context.getLogger("io.iwcm.cm").getEffectiveLevel()).isEqualTo(Level.INFO);
        assertThat(context.getLogger("org.apache.pekko.actor").getEffectiveLevel())
                .isEqualTo(Level.WARN);
    }

    @Test
    void jsonIsOneObjectALine() throws Exception {
        LoggingEvent event = new LoggingEvent(
                "", context.getLogger("io.iwcm.cm"), Level.WARN, "a {} b", new IOException("why\nnot"), new Object[] {
                    "\"x\""
                });

        String line = new String(configure("logback-json.xml").getEncoder().encode(event), StandardCharsets.UTF_8);

        assertThat(line).endsWith("\n").hasLineCount(1);
        assertThat(topLevelTexts(line))
                .containsEntry("formattedMessage", "a \"x\" b")
                .containsEntry("level", "WARN")
                .containsEntry("loggerName", "io.iwcm.cm");
        assertThat(line).contains("\"timestamp\":", "why\\nnot");
    }

    private static Map<String, String> topLevelTexts(String json) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (parser.nextToken() == JsonToken.VALUE_STRING) texts.put(name, parser.getText());
                parser.skipChildren();
            }
            assertThat(parser.nextToken()).isNull();
        }
        return texts;
    }
}
