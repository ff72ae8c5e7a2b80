package io.iwcm.cm.analyze;

import java.time.Duration;

/**
 * How much an analysis keeps, whatever the capture holds.
 *
 * @param connectionsMax connections watched at once; beyond it the one that was silent longest is reported and forgotten
 * @param flowOctetsMax octets that wait in one direction of a connection for others before them
 * @param octetsMax octets that wait in all connections together
 * @param suspectsMax failed TCP connections that wait for their endpoint to show an MPA frame; beyond it they are only
 *     counted
 * @param endpointsMax endpoints remembered for having shown an MPA frame
 * @param momentsMax lines of one connection's time line
 * @param linger how long after its end a connection is watched for late segments, by the capture's clock
 * @param idle how long a connection may be silent before it is reported and forgotten, by the capture's clock
 */
public record AnalysisLimits(
        int connectionsMax,
        int flowOctetsMax,
        long octetsMax,
        int suspectsMax,
        int endpointsMax,
        int momentsMax,
        Duration linger,
        Duration idle) {

    public static final AnalysisLimits DEFAULT = new AnalysisLimits(
            16_384, 256 * 1024, 32L * 1024 * 1024, 1024, 4096, 40, Duration.ofSeconds(5), Duration.ofHours(2));
}
