/** The NIC side: frames, links, steering tables, queue pairs. Facts, not decisions. */
@NullMarked
package io.iwcm.nic;

import org.jspecify.annotations.NullMarked;
