package io.iwcm.cm.analyze;

import java.util.Map;

/**
 * What a whole capture held.
 *
 * @param frames frames read
 * @param segments TCP segments among them
 * @param skipped frames that told nothing, by reason
 * @param linkTypes frames of each link type that is not read, by its number in the registry
 * @param verdicts connections by verdict
 * @param otherConnections TCP connections that had nothing to do with iWARP, as far as could be seen
 * @param cutFrames frames that the capture kept only the beginning of
 */
public record CaptureSummary(
        long frames,
        long segments,
        Map<Skip, Long> skipped,
        Map<Integer, Long> linkTypes,
        Map<Verdict, Long> verdicts,
        long otherConnections,
        long cutFrames) {

    public long connections() {
        return verdicts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** There was an iWARP connection, and none that was not healthy. */
    public boolean allHealthy() {
        return connections() > 0 && connections() == verdicts.getOrDefault(Verdict.HEALTHY, 0L);
    }
}
