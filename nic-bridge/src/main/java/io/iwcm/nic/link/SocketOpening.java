package io.iwcm.nic.link;

import io.iwcm.nic.link.QemuStreamOptions.Role;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the sockets of a {@link QemuStreamLink}, TCP or Unix: one that listens, or new ones that connect. */
final class SocketOpening {

    private static final Logger LOG = LoggerFactory.getLogger(SocketOpening.class);

    private final SocketPlace place;
    private final Optional<ServerSocketChannel> server;

    private SocketOpening(SocketPlace place, Optional<ServerSocketChannel> server) {
        this.place = place;
        this.server = server;
    }

    static SocketOpening of(QemuStreamOptions options) {
        if (options.role() == Role.CONNECT) {
            return new SocketOpening(options.place(), Optional.empty());
        }
        try {
            SocketAddress address = options.place().resolve();
            ServerSocketChannel server = address instanceof UnixDomainSocketAddress
                    ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                    : ServerSocketChannel.open();
            try {
                bind(server, address);
                return new SocketOpening(bound(options.place(), server), Optional.of(server));
            } catch (IOException e) {
                server.close();
                throw e;
            }
        } catch (IOException e) {
            throw new LinkException("the QEMU link cannot listen at " + options.place() + ": " + e.getMessage(), e);
        }
    }

    /** Where it listens, the port that port 0 became included; or where it connects to. */
    SocketPlace place() {
        return place;
    }

    void listen(Selector selector) throws IOException {
        if (server.isPresent()) {
            server.get().configureBlocking(false);
            server.get().register(selector, SelectionKey.OP_ACCEPT);
        }
    }

    /** Empty when who came has gone again. */
    Optional<SocketChannel> accept() throws IOException {
        return Optional.ofNullable(server.orElseThrow().accept());
    }

    /** Begun, or done already; not blocking. */
    SocketChannel connect() throws IOException {
        SocketAddress address = place.resolve();
        SocketChannel channel = address instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.connect(address);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** For use with a selector, without delay, and so that a peer whose host died is noticed one day. */
    static void prepare(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        if (channel.getLocalAddress() instanceof InetSocketAddress) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        }
    }

    void close() {
        try {
            if (server.isPresent() && server.get().isOpen()) {
                server.get().close();
                if (place instanceof SocketPlace.Unix(Path path)) {
                    Files.deleteIfExists(path);
                }
            }
        } catch (IOException e) {
            LOG.warn("the socket at {} was not taken away: {}", place, e.getMessage());
        }
    }

    private static void bind(ServerSocketChannel server, SocketAddress address) throws IOException {
        try {
            server.bind(address);
        } catch (IOException e) {
            if (!(address instanceof UnixDomainSocketAddress unix) || !isLeftOver(unix)) {
                throw e;
            }
            Files.delete(unix.getPath());
            server.bind(address);
        }
    }

    /** A socket at which nobody listens any more: who made it was killed. Everything else is not ours to delete. */
    private static boolean isLeftOver(UnixDomainSocketAddress address) throws IOException {
        Path path = address.getPath();
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                || !Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .isOther()) {
            return false;
        }
        try (SocketChannel _ = SocketChannel.open(address)) {
            return false;
        } catch (ConnectException e) {
            return true;
        }
    }

    private static SocketPlace bound(SocketPlace asked, ServerSocketChannel server) throws IOException {
        return asked instanceof SocketPlace.Inet(String host, int _)
                        && server.getLocalAddress() instanceof InetSocketAddress local
                ? new SocketPlace.Inet(host, local.getPort())
                : asked;
    }
}
