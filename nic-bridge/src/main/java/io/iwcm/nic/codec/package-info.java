/**
 * The binary form in which messages cross from one member of a cluster to another.
 *
 * <p>There is no schema beside the types: a record is its components in order, a sealed interface the number of its form, and
 * so on, by codecs that {@link io.iwcm.nic.codec.Protocol} makes once of everything that can be reached from the messages.
 * What cannot be made so fails there, with the path to it. No class is ever named on the wire, and a member whose types
 * differ in anything has another {@linkplain io.iwcm.nic.codec.Protocol#fingerprint() fingerprint} and is refused.
 *
 * <p>To let a type cross: the message, or the sealed interface of the messages, extends {@link io.iwcm.nic.codec.Portable}
 * and is named in the {@link io.iwcm.nic.codec.Vocabulary} of its package ({@code words.message(Hello.class)}). An interface
 * that anybody can implement needs its forms ({@code words.open(Letter.class, Called.class)}), a class that is no record a
 * record to stand for it ({@code words.as(...)}) or a codec ({@code words.value(...)}). Private members of a sealed
 * interface are what an actor tells itself and do not cross, nor do those that {@code words.stays(...)} names. A component
 * whose type is a type variable is any message. A vocabulary is found through
 * {@code META-INF/services/io.iwcm.nic.codec.Vocabulary}.
 */
@NullMarked
package io.iwcm.nic.codec;

import org.jspecify.annotations.NullMarked;
