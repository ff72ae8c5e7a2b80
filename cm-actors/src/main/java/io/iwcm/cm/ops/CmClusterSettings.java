package io.iwcm.cm.ops;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import io.iwcm.cm.cluster.Roles;
import io.iwcm.nic.settings.SettingsReader;
import java.util.List;
import java.util.Optional;

/**
 * Everything under {@code iwcm.cluster}, read once at start-up and checked. {@code reference.conf} says what each key does.
 *
 * @param roles what this member does
 * @param host where the others reach it
 * @param port where it listens for them
 * @param seeds members that are asked to be let in, as host:port
 */
record CmClusterSettings(Roles roles, String host, int port, List<String> seeds) {

    CmClusterSettings {
        seeds = List.copyOf(seeds);
    }

    /**
     * Reads a resolved configuration.
     *
     * @return empty: it is no member of a cluster
     * @throws io.iwcm.nic.settings.SettingsException on the first value that is not allowed, and on unknown keys
     */
    static Optional<CmClusterSettings> from(Config root) {
        SettingsReader cluster = SettingsReader.of(root, "iwcm.cluster");
        boolean enabled = cluster.flag("enabled");
        Roles roles =
                cluster.words("roles", "a list of bridge and cm, one of them at least,", CmClusterSettings::roles);
        String host = cluster.text("host");
        int port = cluster.integer("port", 0, 65_535);
        List<String> seeds = cluster.words("seeds", "a list of host:port", CmClusterSettings::seeds);
        cluster.refuseUnknown();
        return enabled ? Optional.of(new CmClusterSettings(roles, host, port, seeds)) : Optional.empty();
    }

    private static Roles roles(List<String> words) {
        Roles roles = new Roles(words.contains(Roles.BRIDGE), words.contains(Roles.CM));
        if (words.isEmpty() || !roles.names().containsAll(words)) throw new IllegalArgumentException(words.toString());
        return roles;
    }

    private static List<String> seeds(List<String> words) {
        for (String word : words) {
            if (!word.matches("[^\\s:/@]+:\\d{1,5}|\\[[0-9a-fA-F:.]+]:\\d{1,5}"))
                throw new IllegalArgumentException(word);
        }
        return words;
    }

    /** The configuration with what Pekko is to be told of this, for an actor system of that name. */
    Config over(Config root, String name) {
        return root.withValue("pekko.actor.provider", ConfigValueFactory.fromAnyRef("cluster"))
                .withValue("pekko.cluster.roles", ConfigValueFactory.fromIterable(roles.names()))
                .withValue("pekko.remote.artery.canonical.hostname", ConfigValueFactory.fromAnyRef(host))
                .withValue("pekko.remote.artery.canonical.port", ConfigValueFactory.fromAnyRef(port))
                .withValue(
                        "pekko.cluster.seed-nodes",
                        ConfigValueFactory.fromIterable(seeds.stream()
                                .map(seed -> "pekko://" + name + "@" + seed)
                                .toList()));
    }
}
