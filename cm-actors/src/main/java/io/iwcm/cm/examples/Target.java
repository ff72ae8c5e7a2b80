package io.iwcm.cm.examples;

import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.api.ListenHandle;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.ops.Launcher;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Octets;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Waits for connections on one port and accepts whoever brings private data. Arguments: CONFIG PORT. */
public final class Target {

    private final Consumer<String> say;

    Target(Consumer<String> say) {
        this.say = say;
    }

    /** Runs until it is interrupted; then the shutdown hook stops in order. */
    public static void main(String[] args) throws InterruptedException {
        if (args.length != 2) {
            System.err.println("arguments: CONFIG PORT");
            System.exit(2);
        }
        ConnectionManager manager = Launcher.start("target", ConfigFactory.parseFile(new File(args[0])));
        Runtime.getRuntime().addShutdownHook(new Thread(manager::close));
        new Target(System.out::println)
                .listen(manager, Integer.parseInt(args[1]))
                .toCompletableFuture()
                .join();
        new CountDownLatch(1).await();
    }

    /** Listens on every address of the NIC, of both families; completes when peers can come. */
    CompletionStage<ListenHandle> listen(ConnectionManager manager, int port) {
        Endpoint everywhere = new Endpoint(IpAddress.parse("::"), port);
        return manager.listen(ListenOptions.on(everywhere), this::onEvent).thenApply(listener -> {
            say.accept("target: listening on port " + port);
            return listener;
        });
    }

    /** Called for one connection after the other event by event, and for different connections at the same time. */
    private void onEvent(Connection connection, CmEvent event) {
        switch (event) {
            case CmEvent.ConnectRequest request -> answer(connection, request);
            case CmEvent.Established(var depths) ->
                say.accept("target: connected to " + connection.remote() + ", " + depths);
            case CmEvent.AcceptFailed(Cause why) ->
                say.accept("target: not connected to " + connection.remote() + ": " + why.phrase());
            case CmEvent.Disconnected(Cause why) -> say.accept("target: disconnected: " + why.phrase());
            case CmEvent.Closed _ -> say.accept("target: closed");
            case CmEvent.ConnectReply _ -> {} // Only who connects hears that.
        }
    }

    private void answer(Connection connection, CmEvent.ConnectRequest request) {
        if (request.privateData().isEmpty()) {
            connection.reject(octets("say something")).thenAccept(this::complain);
            return;
        }
        say.accept("target: asked with \"" + text(request.privateData()) + "\"");
        // Receives must be posted before this: the peer may send as soon as it has our reply.
        connection.accept(AcceptOptions.DEFAULT.privateData(octets("welcome"))).thenAccept(this::complain);
    }

    private void complain(Cause cause) {
        if (cause != Cause.NONE) say.accept("target: too late: " + cause.phrase());
    }

    static Octets octets(String text) {
        return Octets.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    static String text(Octets octets) {
        return new String(octets.toBytes(), StandardCharsets.UTF_8);
    }
}
