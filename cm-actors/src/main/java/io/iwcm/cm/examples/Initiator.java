package io.iwcm.cm.examples;

import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectResult;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.ops.Launcher;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import java.io.File;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Connects once, says how it went and closes. Arguments: CONFIG IP PORT [TEXT]. */
public final class Initiator {

    private final Consumer<String> say;

    Initiator(Consumer<String> say) {
        this.say = say;
    }

    /** Exits with 0 when the connection stood, else with 1. */
    public static void main(String[] args) {
        if (args.length < 3 || args.length > 4) {
            System.err.println("arguments: CONFIG IP PORT [TEXT]");
            System.exit(2);
        }
        Endpoint peer = new Endpoint(IpAddress.parse(args[1]), Integer.parseInt(args[2]));
        boolean connected;
        try (ConnectionManager manager = Launcher.start("initiator", ConfigFactory.parseFile(new File(args[0])))) {
            connected = new Initiator(System.out::println).connect(manager, peer, args.length > 3 ? args[3] : "hello");
        }
        System.exit(connected ? 0 : 1);
    }

    /** Whether it came to a connection; returns when that is closed again. */
    boolean connect(ConnectionManager manager, Endpoint peer, String text) {
        CompletableFuture<CmEvent.Closed> closed = new CompletableFuture<>();
        ConnectOptions options = ConnectOptions.to(peer).privateData(Target.octets(text));
        ConnectResult result = manager.connect(options, (connection, event) -> {
                    if (event instanceof CmEvent.Closed end) closed.complete(end);
                })
                .toCompletableFuture()
                .join(); // Never fails: what goes wrong is a value.

        return switch (result) {
            case ConnectResult.Connected(var connection, var reply) -> {
                say.accept("initiator: connected from " + connection.local() + ", " + reply.depths() + ", peer says \""
                        + Target.text(reply.privateData()) + "\"");
                connection.disconnect();
                say.accept("initiator: closed: " + closed.join().cause().phrase());
                yield true;
            }
            case ConnectResult.Failed(var cause, var reply) -> {
                // An application of librdmacm would have met this event and this errno.
                say.accept("initiator: no connection: " + cause.phrase() + ", " + cause.errnoName() + ", "
                        + cause.rdmaCmEvent());
                reply.filter(said -> !said.privateData().isEmpty())
                        .ifPresent(
                                said -> say.accept("initiator: peer says \"" + Target.text(said.privateData()) + "\""));
                yield false;
            }
        };
    }
}
