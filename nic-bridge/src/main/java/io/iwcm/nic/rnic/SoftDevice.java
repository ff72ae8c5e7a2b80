package io.iwcm.nic.rnic;

import io.iwcm.nic.spi.Device;
import io.iwcm.nic.spi.DeviceCommand;
import java.util.Optional;

/**
 * The device of an RNIC that is all software: its tables are those of {@link SoftRnic}, so there is nothing to wait for and
 * nothing to refuse.
 */
public final class SoftDevice implements Device {

    @Override
    public void submit(long id, DeviceCommand command, long nowNs, Completions to) {
        to.completed(id, Optional.empty());
    }

    @Override
    public void transmit(byte[] frame, long nowNs, Completions to) {
        to.toLink(frame);
    }

    @Override
    public void poll(long nowNs, Completions to) {}

    @Override
    public long nextPollNs() {
        return Long.MAX_VALUE;
    }

    @Override
    public void ringWith(Runnable bell) {}
}
