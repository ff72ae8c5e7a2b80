/**
 * What rping of rdma-core does, over the queue pairs of this process: the client names a buffer, the server reads it, the
 * client names another, the server writes there what it has read. Either end talks to rping's other end.
 */
@NullMarked
package io.iwcm.cm.rping;

import org.jspecify.annotations.NullMarked;
