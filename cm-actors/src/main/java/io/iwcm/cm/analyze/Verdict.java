package io.iwcm.cm.analyze;

/** How well a connection did, worst last; also the weight of one finding, where the first is a mere note. */
public enum Verdict {
    HEALTHY("healthy", "note"),
    SUSPICIOUS("suspicious", "suspicious"),
    FAILED("failed", "failed");

    private final String label;
    private final String weight;

    Verdict(String label, String weight) {
        this.label = label;
        this.weight = weight;
    }

    /** Of a connection, for people and scripts. */
    public String label() {
        return label;
    }

    /** Of one finding, for people and scripts. */
    public String weight() {
        return weight;
    }

    Verdict or(Verdict other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
