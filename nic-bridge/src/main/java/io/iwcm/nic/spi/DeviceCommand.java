package io.iwcm.nic.spi;

import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;

/** What a {@link Device} can be told to do. Adding and deleting come in turns: an entry is never added or deleted twice. */
public sealed interface DeviceCommand {

    /** Let SYNs for this endpoint through to the ILQ. */
    record AddSyn(ListenKey key) implements DeviceCommand {}

    record DeleteSyn(ListenKey key) implements DeviceCommand {}

    /**
     * Catch the frames of this connection. Fails with {@link NicEvent.Failure#QUAD_TAKEN} when the device has it already,
     * whoever entered it.
     */
    record AddQuad(FlowKey flow) implements DeviceCommand {}

    record DeleteQuad(FlowKey flow) implements DeviceCommand {}

    /** Set the bit of a local TCP port: its frames may be ours. */
    record AddPort(int port) implements DeviceCommand {}

    record DeletePort(int port) implements DeviceCommand {}

    /**
     * Make an address handle.
     *
     * @param index its number, not in use by another
     * @param flow what is to be sent by it
     * @param path priority and traffic class
     * @param nextHop whose MAC address the frames will carry
     */
    record CreateHandle(int index, FlowKey flow, Path path, IpAddress nextHop) implements DeviceCommand {}

    record FreeHandle(int index) implements DeviceCommand {}

    /** Move a queue pair from IDLE to RTS: it takes the connection over, and the frames of its flow go to it. */
    record QpToRts(QpId qp, QpContext context) implements DeviceCommand {}

    /** Move a queue pair from RTS to CLOSING: FIN after what is outstanding. */
    record QpToClosing(QpId qp) implements DeviceCommand {}

    /**
     * Move a queue pair to ERROR, whatever it is in: a connection that it still has is reset, and what is posted to it is
     * flushed. Said once of each, at the latest when it is destroyed.
     */
    record QpToError(QpId qp) implements DeviceCommand {}
}
