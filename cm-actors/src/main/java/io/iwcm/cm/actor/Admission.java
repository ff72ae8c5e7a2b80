package io.iwcm.cm.actor;

/**
 * A listener as a bucket knows it: enough to admit a SYN without asking.
 *
 * @param listenerId whose
 * @param order what was asked for
 * @param consumer told of its connections
 */
record Admission(long listenerId, ListenOrder order, CmConsumer consumer) {}
