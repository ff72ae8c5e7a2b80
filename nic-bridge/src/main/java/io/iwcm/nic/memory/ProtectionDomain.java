package io.iwcm.nic.memory;

/**
 * What binds queue pairs and regions together: a peer reaches only the regions of its queue pair's domain. Two are equal only
 * when they are the same.
 */
public final class ProtectionDomain {

    private final String name;

    /**
     * A domain of its own.
     *
     * @param name for people
     */
    public ProtectionDomain(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return "domain " + name;
    }
}
