package io.iwcm.nic.bridge;

/** A clock that only goes forward, from an arbitrary origin; injected so that tests can hold it. */
@FunctionalInterface
public interface NanoClock {

    NanoClock SYSTEM = System::nanoTime;

    /** Nanoseconds; only differences mean something. */
    long nowNs();
}
