package io.iwcm.nic.codec;

/**
 * How values of one type are written and read. Reading takes whatever comes: what cannot be a value is a
 * {@link CodecException}, or an exception of the value's own constructor, which comes to the same.
 */
public interface Codec<T> {

    void write(T value, Output out);

    T read(Input in);

    /** Whether a value may take no octet at all; there can be no list of such. */
    default boolean mayBeEmpty() {
        return false;
    }
}
