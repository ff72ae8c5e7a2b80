package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** One tab of a {@link Chromium}: what it is told, what it shows, and what it complains of. */
final class Tab implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PATIENCE_MS = 90_000;
    private static final Map<String, Integer> KEYS =
            Map.of("Tab", 9, "Enter", 13, "Escape", 27, "ArrowDown", 40, "ArrowUp", 38, "End", 35, "Home", 36, " ", 32);
    private static final Map<String, String> TYPED = Map.of("Enter", "\r", " ", " ");

    /** Violations of the content security policy go to where complaints go, with what was violated. */
    private static final String TELL_VIOLATIONS = """
        document.addEventListener("securitypolicyviolation",
          (event) => console.error("CSP: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample));
        """;

    private final Chromium browser;
    private final String session;
    private final String context;
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    /**
     * @param session under which the browser knows the tab
     * @param context where it keeps what it keeps, for this tab alone
     */
    Tab(Chromium browser, String session, String context) {
        this.browser = browser;
        this.session = session;
        this.context = context;
        browser.listen(session, this::hear);
        for (String domain : List.of("Page", "Runtime", "Log")) ask(domain + ".enable", parameters());
        ask("Page.addScriptToEvaluateOnNewDocument", parameters().put("source", TELL_VIOLATIONS));
    }

    private void hear(String method, JsonNode event) {
        switch (method) {
            case "Runtime.exceptionThrown" ->
                complaints.add(
                        event.at("/exceptionDetails/exception/description").asText());
            case "Runtime.consoleAPICalled" -> {
                String type = event.path("type").asText();
                if (List.of("error", "warning", "assert").contains(type))
                    complaints.add(event.at("/args/0/value").asText()
                            + event.at("/args/0/description").asText());
            }
            case "Log.entryAdded" -> {
                String level = event.at("/entry/level").asText();
                if (List.of("error", "warning").contains(level))
                    complaints.add(event.at("/entry/text").asText() + " "
                            + event.at("/entry/url").asText());
            }
            default -> {}
        }
    }

    /** Errors and warnings on the console, script errors and violations of the content security policy. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    Tab open(String url) {
        ask("Page.navigate", parameters().put("url", url));
        return until("document.readyState === 'complete' && location.href.startsWith('http')");
    }

    Tab size(int width, int height) {
        ask(
                "Emulation.setDeviceMetricsOverride",
                parameters()
                        .put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", width < 600));
        return this;
    }

    /** As with a user who wants it so, for example {@code prefers-color-scheme}, {@code dark}. */
    Tab preferring(String feature, String value) {
        ObjectNode parameters = parameters();
        parameters.putArray("features").addObject().put("name", feature).put("value", value);
        ask("Emulation.setEmulatedMedia", parameters);
        return this;
    }

    Tab press(String... keys) {
        for (String key : keys) {
            ObjectNode down = parameters()
                    .put("type", "rawKeyDown")
                    .put("key", key)
                    .put("code", key)
                    .put("windowsVirtualKeyCode", KEYS.get(key));
            ask("Input.dispatchKeyEvent", down);
            if (TYPED.containsKey(key))
                ask(
                        "Input.dispatchKeyEvent",
                        down.deepCopy().put("type", "char").put("text", TYPED.get(key)));
            ask("Input.dispatchKeyEvent", down.deepCopy().put("type", "keyUp"));
        }
        return this;
    }

    Tab type(String text) {
        ask("Input.insertText", parameters().put("text", text));
        return this;
    }

    Tab run(String script) {
        evaluate("(() => { " + script + " })()");
        return this;
    }

    Tab click(String selector) {
        until("document.querySelector(" + quoted(selector) + ")");
        return run("document.querySelector(" + quoted(selector) + ").click()");
    }

    /** What an element shows, once it is there. */
    String text(String selector) {
        until("document.querySelector(" + quoted(selector) + ")");
        return value("document.querySelector(" + quoted(selector) + ").innerText")
                .asText();
    }

    /** What elements show, in order. */
    List<String> texts(String selector) {
        JsonNode all = value("[...document.querySelectorAll(" + quoted(selector)
                + ")].map(one => one.innerText ?? one.textContent)");
        return all.valueStream().map(JsonNode::asText).toList();
    }

    JsonNode value(String expression) {
        return evaluate(expression).at("/result/value");
    }

    /** Waits until this is so. */
    Tab until(String condition) {
        evaluate("""
            new Promise((so, not) => {
              const end = performance.now() + %d;
              const look = () => {
                let now = false;
                try { now = %s; } catch (error) { now = false; }
                if (now) so(true);
                else if (performance.now() > end) not(new Error("never so; the page says: " + document.body.innerText));
                else setTimeout(look, 15);
              };
              look();
            })\
            """.formatted(PATIENCE_MS, condition), condition);
        return this;
    }

    /** Waits until an element shows this text somewhere. */
    Tab untilShown(String selector, String text) {
        return until("document.querySelector(%s)?.innerText.includes(%s)".formatted(quoted(selector), quoted(text)));
    }

    /** Keeps a picture of what is in view, where the system property {@code iwcm.screenshots} names a directory. */
    Tab picture(String name) throws IOException {
        String directory = System.getProperty("iwcm.screenshots", "");
        if (directory.isEmpty()) return this;
        JsonNode taken = ask("Page.captureScreenshot", parameters().put("format", "png"));
        Files.createDirectories(Path.of(directory));
        Files.write(
                Path.of(directory, name + ".png"),
                Base64.getDecoder().decode(taken.get("data").asText()));
        return this;
    }

    /** What a screen reader is told: role and name of everything that is not ignored, in order. */
    List<Accessible> accessible() {
        List<Accessible> all = new ArrayList<>();
        for (JsonNode node : ask("Accessibility.getFullAXTree", parameters()).get("nodes")) {
            if (!node.path("ignored").asBoolean())
                all.add(new Accessible(
                        node.at("/role/value").asText(), node.at("/name/value").asText()));
        }
        return all;
    }

    /** One thing in the accessibility tree. */
    record Accessible(String role, String name) {}

    @Override
    public void close() {
        browser.forget(session, context);
    }

    static String quoted(String text) {
        return JSON.getNodeFactory().textNode(text).toString();
    }

    private JsonNode evaluate(String expression) {
        return evaluate(expression, expression);
    }

    private JsonNode evaluate(String expression, String about) {
        JsonNode result = ask(
                "Runtime.evaluate",
                parameters()
                        .put("expression", expression)
                        .put("awaitPromise", true)
                        .put("returnByValue", true));
        if (result.has("exceptionDetails"))
            throw new AssertionError(about + ": "
                    + result.at("/exceptionDetails/exception/description").asText()
                    + "\ncomplaints: " + complaints);
        return result;
    }

    private JsonNode ask(String method, ObjectNode parameters) {
        return browser.ask(session, method, parameters);
    }

    private static ObjectNode parameters() {
        return JSON.createObjectNode();
    }
}
