/**
 * What connections have been through, kept for people and told in words. It watches; it changes nothing.
 */
@NullMarked
package io.iwcm.cm.trace;

import org.jspecify.annotations.NullMarked;
