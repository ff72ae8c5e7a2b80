package io.iwcm.cm.ops;

import io.iwcm.nic.link.Link;
import io.iwcm.nic.link.Recorder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Records links to capture files with the time of day. */
final class Recording {

    private Recording() {}

    /** The link, recorded where a file is given. */
    static Link of(Link link, Optional<Path> file) {
        return file.<Link>map(path -> Recorder.around(link, path, Recording::epochNs))
                .orElse(link);
    }

    private static long epochNs() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }
}
