/** Captures written by hand, and what the analysis says of each; and what it says of captures of others. */
@NullMarked
package io.iwcm.cm.analyze;

import org.jspecify.annotations.NullMarked;
