package io.iwcm.nic.spi;

/**
 * What a Terminate message says (RFC 5040 §4.8): layer and type in one octet, layer in the high nibble, then the code.
 *
 * @param layer 0 RDMAP, 1 DDP, 2 LLP (MPA)
 * @param type error type within the layer
 * @param code error code within the type
 */
public record TermCode(int layer, int type, int code) {

    /** RFC 6581 §9.3: local catastrophic error. */
    public static final TermCode MPA_LOCAL_ERROR = new TermCode(2, 0, 5);

    /** RFC 6581 §9.3: insufficient IRD resources. */
    public static final TermCode MPA_INSUFFICIENT_IRD = new TermCode(2, 0, 6);

    /** RFC 6581 §9.3: no matching RTR option. */
    public static final TermCode MPA_NO_MATCHING_RTR = new TermCode(2, 0, 7);

    @Override
    public String toString() {
        return "layer " + layer + " type " + type + " code " + code;
    }
}
