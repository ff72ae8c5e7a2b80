/**
 * How settings are read in both modules: a value out of range, of the wrong kind or missing, and a key that does not exist,
 * are each one sentence that says what is wrong and what is allowed.
 *
 * <p>What the settings are is said by the settings class of each module and its {@code reference.conf}.
 */
@NullMarked
package io.iwcm.nic.settings;

import org.jspecify.annotations.NullMarked;
