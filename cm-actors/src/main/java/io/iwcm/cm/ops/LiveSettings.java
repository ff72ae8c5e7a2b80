package io.iwcm.cm.ops;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import io.iwcm.cm.actor.ListenOrder;
import io.iwcm.cm.api.CmException;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.cm.api.ListenHandle;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.http.HttpServer;
import io.iwcm.cm.http.Reloaded;
import io.iwcm.cm.http.Served;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.nic.bridge.NicSettings;
import io.iwcm.nic.settings.EffectiveSettings;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of a running node, as far as they can change while it runs: its listeners and addresses follow the file when that
 * is read again. A file with anything wrong in it changes nothing. One reload at a time; safe from any thread, which it blocks.
 */
final class LiveSettings implements Served.Settings {

    /** What follows the file; all else needs a restart. */
    private static final Set<String> FOLLOWS = Set.of("iwcm.cm.listeners", "iwcm.nic.addresses");

    private final Path file;
    private final ConnectionManager manager;
    private final EventPrinter printer;
    private final Config atStart;
    private final Map<ListenOrder, ListenHandle> listening = new LinkedHashMap<>();
    private Config now;
    private Optional<HttpServer> http = Optional.empty();

    /** @param file that is read again */
    LiveSettings(Path file, Config config, ConnectionManager manager, EventPrinter printer) {
        this.file = file;
        this.manager = manager;
        this.printer = printer;
        this.atStart = config;
        this.now = config;
    }

    /** Listeners are shown by this server too. */
    synchronized void shownBy(HttpServer server) {
        http = Optional.of(server);
    }

    /** Listens as the file says. */
    synchronized void listen() {
        for (ListenOrder order : CmSettings.from(now).listeners()) printer.say(listen(order));
    }

    /** What holds, secrets hidden. */
    @Override
    public synchronized List<Served.Setting> shown() {
        return EffectiveSettings.of(now, "iwcm").settings().stream()
                .map(setting -> new Served.Setting(setting.key(), setting.value(), setting.origin()))
                .toList();
    }

    /**
     * Reads the file again and does what it says.
     *
     * @throws IllegalArgumentException with everything that is wrong with the file; nothing has changed then
     */
    @Override
    public synchronized Reloaded reload() {
        Config next;
        NicSettings nic;
        List<ListenOrder> orders;
        try {
            List<String> problems = ConfigFile.problems(file);
            if (!problems.isEmpty()) throw new IllegalArgumentException(String.join("; ", problems));
            next = ConfigFile.read(file, "");
            nic = NicSettings.from(next);
            orders = CmSettings.from(next).listeners();
        } catch (ConfigException | IllegalArgumentException e) {
            manager.counters().count(CmCounter.CONFIG_RELOAD_FAILURES);
            throw new IllegalArgumentException(file + " changes nothing: " + e.getMessage(), e);
        }
        List<String> done = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        Set<LocalAddress> own = new LinkedHashSet<>(nic.addresses());
        Set<LocalAddress> had = new LinkedHashSet<>(NicSettings.from(now).addresses());
        Set<ListenOrder> wanted = new LinkedHashSet<>(orders);
        forgetThoseThatEnded();
        for (ListenOrder order : without(listening.keySet(), wanted)) attempt(done, failed, () -> unlisten(order));
        for (LocalAddress address : without(had, own)) attempt(done, failed, () -> down(address));
        for (LocalAddress address : without(own, had)) attempt(done, failed, () -> up(address));
        for (ListenOrder order : without(wanted, listening.keySet())) attempt(done, failed, () -> listen(order));
        now = next;
        done.forEach(printer::say);
        manager.counters().count(failed.isEmpty() ? CmCounter.CONFIG_RELOADS : CmCounter.CONFIG_RELOAD_FAILURES);
        return new Reloaded(done, failed, differing(atStart, next));
    }

    /** Somebody else may have ended a listener, by the API for one; the file says that it is to be. */
    private void forgetThoseThatEnded() {
        Set<Long> standing = Waiting.on(manager.snapshot()).listeners().stream()
                .map(listener -> listener.id())
                .collect(Collectors.toSet());
        listening.values().removeIf(handle -> !standing.contains(handle.id()));
    }

    private static <T> List<T> without(Set<T> all, Set<T> those) {
        return all.stream().filter(one -> !those.contains(one)).toList();
    }

    private static void attempt(List<String> done, List<String> failed, Supplier<String> change) {
        try {
            done.add(change.get());
        } catch (CmException e) {
            failed.add(String.valueOf(e.getMessage()));
        }
    }

    private String listen(ListenOrder order) {
        ListenHandle handle = Waiting.on(manager.listen(ListenOptions.of(order), printer));
        listening.put(order, handle);
        http.ifPresent(server -> server.know(handle));
        return "listening on " + order.local() + " by " + manager.nic().link().name();
    }

    private String unlisten(ListenOrder order) {
        Optional.ofNullable(listening.remove(order)).ifPresent(handle -> {
            CompletionStage<Void> ended = http.map(server -> server.end(handle)).orElseGet(handle::close);
            Waiting.on(ended);
        });
        return "listening no more on " + order.local();
    }

    private String down(LocalAddress address) {
        Waiting.on(manager.addressDown(address.address(), address.vlan()));
        return "address " + words(address) + " is gone";
    }

    private String up(LocalAddress address) {
        Waiting.on(manager.addressUp(address));
        return "address " + words(address) + " is there";
    }

    private static String words(LocalAddress address) {
        String text = address.address() + "/" + address.prefixLength();
        return address.vlan() == 0 ? text : text + " on VLAN " + address.vlan();
    }

    /** Keys with another value than the node was started with; their values may be secrets. */
    private static List<String> differing(Config started, Config next) {
        return Stream.of("iwcm", "pekko")
                .flatMap(block -> EffectiveSettings.differing(started, next, block).stream())
                .filter(key -> !FOLLOWS.contains(key))
                .toList();
    }
}
