package io.iwcm.nic.codec;

/**
 * A message that may go to another member: {@code reference.conf} binds it to {@link PortableSerializer}. It must be among
 * the messages of a {@link Vocabulary} too.
 */
public interface Portable {}
