package io.iwcm.cm.actor;

/** Who opened a connection. */
public enum Role {
    ACTIVE,
    PASSIVE
}
