package io.iwcm.cm.actor;

/** The kinds of actors that a connection manager consists of. */
public enum ActorKind {
    GUARDIAN("guardian", "takes what applications ask and makes the others"),
    BRIDGE("bridge", "the NIC's face: passes on what the others order from it"),
    LISTENERS("listeners", "knows all listeners and local addresses"),
    LISTENER("listener", "one listening endpoint"),
    BUCKET("bucket", "a dispatcher: gives frames and events to connections, makes connections of SYNs"),
    NODE("node", "one connection");

    private final String label;
    private final String sentence;

    ActorKind(String label, String sentence) {
        this.label = label;
        this.sentence = sentence;
    }

    /** The name under which operators know it. */
    public String label() {
        return label;
    }

    /** What such an actor does, for people. */
    public String sentence() {
        return sentence;
    }
}
