package io.iwcm.cm.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The page that people look at: its files, read once, and what they are sent with. It holds no secret. */
final class WebPage {

    /** Nothing but this node's own files runs, styles or is asked, whatever a peer has put into what is shown. */
    static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            // It may be kept, but is asked about each time: a new version of the program has a new page.
            "Cache-Control",
            "no-cache");

    private static final String[] NAMES = {
        "index.html",
        "style.css",
        "icon.svg",
        "main.js",
        "api.js",
        "connections.js",
        "detail.js",
        "dom.js",
        "events.js",
        "rates.js",
        "sequence.js",
        "table.js",
        "tables.js",
        "words.js"
    };

    private static final int TAG_OCTETS = 12;

    /**
     * One file.
     *
     * @param mediaType with its character set
     * @param content as it is sent; not to be changed
     * @param tag tells it from any other version, without the quotes of an ETag
     */
    record File(String mediaType, byte[] content, String tag) {}

    private final Map<String, File> files;

    private WebPage(Map<String, File> files) {
        this.files = files;
    }

    /** Reads its files from the class path. */
    static WebPage load() {
        Map<String, File> files = new LinkedHashMap<>();
        for (String name : NAMES) files.put(name.equals("index.html") ? "/" : "/page/" + name, read(name));
        return new WebPage(files);
    }

    /** The file at a path: the page itself is at {@code /}, what it needs below {@code /page/}. */
    Optional<File> at(String path) {
        return Optional.ofNullable(files.get(path));
    }

    /** Every file by its path. */
    Map<String, File> files() {
        return Map.copyOf(files);
    }

    private static File read(String name) {
        try (InputStream in = WebPage.class.getResourceAsStream("page/" + name)) {
            if (in == null) throw new IllegalStateException("page/" + name + " is not on the class path");
            byte[] content = in.readAllBytes();
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return new File(mediaType(name), content, HexFormat.of().formatHex(digest, 0, TAG_OCTETS));
        } catch (IOException e) {
            throw new UncheckedIOException("page/" + name + " cannot be read", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String mediaType(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalStateException("no media type for page/" + name);
        };
    }
}
