/**
 * Several members as one connection manager. Whoever has a NIC lists its bridge with the receptionist; every member with the
 * role {@code cm} keeps a room of buckets for each bridge, and every member takes what applications ask and passes it to the
 * bridges. Who owns a flow is the bridge's decision alone: what a member says of another is that it cannot be reached.
 */
@NullMarked
package io.iwcm.cm.cluster;

import org.jspecify.annotations.NullMarked;
