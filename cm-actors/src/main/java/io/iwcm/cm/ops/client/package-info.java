/**
 * Commands that ask a running node over its HTTP API: what it has, what it does, and a few orders. They start nothing of
 * their own but a client, so that they are quick.
 *
 * <p>Each command fetches documents through {@code Remote}, and prints them as a {@code Table} for people or as they are for
 * scripts.
 */
@NullMarked
package io.iwcm.cm.ops.client;

import org.jspecify.annotations.NullMarked;
