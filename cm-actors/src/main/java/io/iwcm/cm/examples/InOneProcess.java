package io.iwcm.cm.examples;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.ops.Launcher;
import io.iwcm.nic.link.MemoryWire;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import java.util.function.Consumer;

/** Target and initiator on one wire in memory: no root, no network, no arguments. */
public final class InOneProcess {

    private static final int MTU = 1500;

    private InOneProcess() {}

    /** Exits with 0 when the connection stood, else with 1. */
    public static void main(String[] args) {
        System.exit(run(System.out::println) ? 0 : 1);
    }

    static boolean run(Consumer<String> say) {
        try (MemoryWire wire = MemoryWire.live("wire", WireOptions.PLAIN);
                ConnectionManager one = Launcher.start("target", addressed("10.9.0.1/24"), wire.attach("target", MTU));
                ConnectionManager two =
                        Launcher.start("initiator", addressed("10.9.0.2/24"), wire.attach("initiator", MTU))) {
            new Target(say).listen(one, 4420).toCompletableFuture().join();
            return new Initiator(say).connect(two, new Endpoint(IpAddress.parse("10.9.0.1"), 4420), "hello");
        }
    }

    private static Config addressed(String address) {
        return ConfigFactory.parseString("iwcm.nic.addresses = [{ address = \"" + address + "\" }]");
    }
}
