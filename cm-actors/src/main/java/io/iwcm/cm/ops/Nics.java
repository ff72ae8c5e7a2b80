package io.iwcm.cm.ops;

import io.iwcm.cm.actor.CmObserver;
import io.iwcm.nic.bridge.NanoClock;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.bridge.NicSettings;
import io.iwcm.nic.link.Link;
import io.iwcm.nic.link.MemoryWire;
import io.iwcm.nic.link.Recorder;
import io.iwcm.nic.link.TapLink;
import io.iwcm.nic.link.TapOptions;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.rnic.RnicConfig;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.steer.SipHash;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;

/** Makes links and NICs. */
final class Nics {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int MEMORY_MTU = 1500;

    private Nics() {}

    /** A software RNIC with a secret of its own that lives by the system's clock. */
    static SoftRnic soft(RnicConfig config) {
        return new SoftRnic(config, new SipHash(RANDOM.nextLong(), RANDOM.nextLong()), NanoClock.SYSTEM.nowNs());
    }

    /**
     * Opens the link that the settings name and starts a NIC on it.
     *
     * @throws io.iwcm.nic.link.LinkException when the link cannot be had; nothing stays behind
     */
    static NicHost start(ActorSystem<?> system, NicSettings settings, CmObserver observer) {
        Link link = recorded(open(settings.link()), settings.link().pcap());
        NicHost.Options options =
                new NicHost.Options(settings.ilq(), settings.link().receiveQueueFrames(), NanoClock.SYSTEM, observer);
        try {
            return NicHost.start(system, link, soft(settings.rnicOn(link.mtu())), options);
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    private static Link open(NicSettings.Link link) {
        return switch (link.kind()) {
            case MEMORY ->
                MemoryWire.live("lonely", WireOptions.PLAIN).attach("nic", link.mtu() == 0 ? MEMORY_MTU : link.mtu());
            case TAP -> TapLink.open(new TapOptions(link.name(), link.mtu(), link.bringUp(), link.mustExist()));
        };
    }

    /** The link, recorded where a file is given. */
    static Link recorded(Link link, Optional<Path> file) {
        if (file.isEmpty()) return link;
        try {
            return Recorder.around(link, file.get(), Nics::epochNs);
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    private static long epochNs() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }
}
