/**
 * What is told to those who watch a node: its counters, how it stands, how long handshakes take, how its actors are doing, as
 * Prometheus text. {@code docs/metrics.md} names every metric.
 *
 * <p>Nothing is counted twice: what the connection manager and the NIC count is read when somebody asks. Micrometer is known
 * here and nowhere else.
 */
@NullMarked
package io.iwcm.cm.metrics;

import org.jspecify.annotations.NullMarked;
