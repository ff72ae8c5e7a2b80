/**
 * What an operator sees: the command line, and what it prints.
 *
 * <p>Nothing in another room knows that this one exists.
 */
@NullMarked
package io.iwcm.cm.ops;

import org.jspecify.annotations.NullMarked;
