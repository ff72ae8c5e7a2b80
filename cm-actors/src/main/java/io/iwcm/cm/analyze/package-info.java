/**
 * Captures explained: which iWARP connections a stream of recorded frames shows, what each side asked and got, how each
 * ended, and why it failed.
 *
 * <p>An {@code Analyzer} is fed frame by frame. Frames become {@code Sighting}s, sightings of one pair of endpoints a
 * {@code Conversation}; each of its two {@code Side}s puts its octets in order, finds the MPA frame at their head and the
 * FPDUs behind it. When a conversation is over, the rules ({@code HandshakeRules} and others) look at it once and say what
 * they find; what results is a {@code ConnectionReport}, and the conversation is forgotten.
 *
 * <p>Everything is recorded octets: nothing throws for their sake, and each thing kept has a limit in {@code
 * AnalysisLimits}. The only time is that of the frames.
 */
@NullMarked
package io.iwcm.cm.analyze;

import org.jspecify.annotations.NullMarked;
