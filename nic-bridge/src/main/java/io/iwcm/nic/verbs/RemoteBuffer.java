package io.iwcm.nic.verbs;

/**
 * Memory of the peer, as the peer has named it.
 *
 * @param stag its STag
 * @param offset the tagged offset of the first octet meant, unsigned
 */
public record RemoteBuffer(int stag, long offset) {

    @Override
    public String toString() {
        return "stag %08x offset %s".formatted(stag, Long.toUnsignedString(offset, 16));
    }
}
