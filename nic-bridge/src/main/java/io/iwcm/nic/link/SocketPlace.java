package io.iwcm.nic.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a socket is: {@code unix:PATH}, {@code HOST:PORT} or {@code [IPV6]:PORT}. */
public sealed interface SocketPlace {

    /** A path in the file system, at most 107 octets: the kernel has no room for more. */
    record Unix(Path path) implements SocketPlace {

        private static final int OCTETS_MAX = 107;

        public Unix {
            int octets = path.toString().getBytes(StandardCharsets.UTF_8).length;
            if (octets < 1 || octets > OCTETS_MAX) {
                throw new IllegalArgumentException("a socket's path has 1 to " + OCTETS_MAX + " octets, not " + octets);
            }
        }

        @Override
        public SocketAddress resolve() {
            return UnixDomainSocketAddress.of(path);
        }

        @Override
        public String toString() {
            return "unix:" + path;
        }
    }

    /** A host, by name or address, and a port; port 0 only to listen on whichever is free. */
    record Inet(String host, int port) implements SocketPlace {

        public Inet {
            if (host.isBlank() || port < 0 || port > 0xffff) {
                throw new IllegalArgumentException("a host and a port from 0 to 65535 are needed");
            }
        }

        @Override
        public SocketAddress resolve() throws UnknownHostException {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        }

        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    /** Its address as it is now; a name may move. */
    SocketAddress resolve() throws IOException;

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException when the text is nothing of the kind
     */
    static SocketPlace parse(String text) {
        if (text.startsWith("unix:")) {
            return new Unix(Path.of(text.substring("unix:".length())));
        }
        Matcher inet = Syntax.INET.matcher(text);
        if (!inet.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no place of a socket");
        }
        String bracketed = inet.group("v6");
        return new Inet(bracketed != null ? bracketed : inet.group("host"), Integer.parseInt(inet.group("port")));
    }

    /** What a place looks like. */
    final class Syntax {
        private static final Pattern INET =
                Pattern.compile("(?:\\[(?<v6>[0-9A-Fa-f:.%a-z]+)]|(?<host>[^:\\[\\]/\\s]+)):(?<port>\\d{1,5})");

        private Syntax() {}
    }
}
