/**
 * Programs that show how to use iwcm, to be read and copied; {@code docs/api.md} shows them too. Nothing else here knows
 * them.
 */
@NullMarked
package io.iwcm.cm.examples;

import org.jspecify.annotations.NullMarked;
