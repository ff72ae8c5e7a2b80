package io.iwcm.nic.codec;

/** A record as its components, in order. */
final class RecordCodec implements Codec<Object> {

    private final Part[] parts;
    private final Maker maker;

    RecordCodec(Part[] parts, Maker maker) {
        this.parts = parts;
        this.maker = maker;
    }

    @Override
    public void write(Object value, Output out) {
        for (Part part : parts) part.write(value, out);
    }

    @Override
    public Object read(Input in) {
        return maker.make(parts, in);
    }

    @Override
    public boolean mayBeEmpty() {
        for (Part part : parts) if (!part.mayBeEmpty()) return false;
        return true;
    }
}
