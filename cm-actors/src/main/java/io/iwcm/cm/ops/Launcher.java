package io.iwcm.cm.ops;

import com.typesafe.config.Config;
import io.iwcm.cm.actor.CmCounters;
import io.iwcm.cm.actor.CmGuardian;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.nic.bridge.FrameObserver;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.bridge.NicSettings;
import io.iwcm.nic.link.Link;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;

/**
 * Starts connection managers as a configuration says, for programs. The configuration is the user's alone, such as
 * {@code config/tap.conf}; {@code reference.conf} documents every key and its default. A value that is not allowed is an
 * {@link io.iwcm.nic.settings.SettingsException} with one sentence, and nothing has been started then.
 *
 * <p>{@code iwcm.cm.listeners} is what {@code iwcm serve} listens on; a program listens itself.
 */
public final class Launcher {

    private Launcher() {}

    /**
     * Starts a connection manager on the link that the configuration names.
     *
     * @param name of its actor system: letters, digits, dashes
     */
    public static ConnectionManager start(String name, Config user) {
        Config config = ConnectionManager.configuration(user);
        NicSettings nic = NicSettings.from(config);
        return start(name, config, nic, system -> nic(system, nic));
    }

    /**
     * Starts one on a link that is there already, such as a port of a {@link io.iwcm.nic.link.MemoryWire}.
     *
     * @param link taken over: closed with the connection manager
     */
    public static ConnectionManager start(String name, Config user, Link link) {
        Config config = ConnectionManager.configuration(user);
        NicSettings nic = NicSettings.from(config);
        return start(name, config, nic, system -> NicHost.on(system, link, nic, FrameObserver.NONE));
    }

    private static ConnectionManager start(
            String name, Config config, NicSettings nic, Function<ActorSystem<?>, NicHost> host) {
        return ConnectionManager.start(
                name, config, host, CmSettings.from(config).options(nic.addresses(), CmObserver.NONE));
    }

    /**
     * Opens the NIC alone, for an actor system that has its own guardian. Whoever opens it closes it, off the actor system's
     * threads, when the connection manager on it has stopped.
     *
     * @param system should have been made with {@link ConnectionManager#configuration}
     */
    public static NicHost nic(ActorSystem<?> system, Config user) {
        return nic(system, NicSettings.from(ConnectionManager.configuration(user)));
    }

    private static NicHost nic(ActorSystem<?> system, NicSettings settings) {
        return NicHost.open(system, settings, UnaryOperator.identity(), FrameObserver.NONE);
    }

    /** The connection manager on that NIC, to be spawned in that actor system. */
    public static Behavior<CmGuardian.Command> connectionManager(NicHost nic, Config user) {
        Config config = ConnectionManager.configuration(user);
        return CmGuardian.create(
                nic,
                CmSettings.from(config).options(NicSettings.from(config).addresses(), CmObserver.NONE),
                new CmCounters());
    }
}
