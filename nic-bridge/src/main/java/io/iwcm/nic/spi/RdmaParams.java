package io.iwcm.nic.spi;

import java.util.Optional;

/**
 * What MPA negotiation fixed for the life of a connection (RFC 5044 §7.1, RFC 6581 §9).
 *
 * @param initiator whether we sent the MPA request
 * @param depths our own limits after negotiation
 * @param crc CRC32c is generated and checked
 * @param sendMarkers the peer asked for markers in the stream toward it
 * @param receiveMarkers we asked for markers in the stream toward us
 * @param peerToPeer A=1: the responder waits for the RTR or the first FPDU
 * @param rtr initiator: the RTR to send as first FPDU; responder: the form it chose; empty without the peer-to-peer model
 */
public record RdmaParams(
        boolean initiator,
        ReadDepths depths,
        boolean crc,
        boolean sendMarkers,
        boolean receiveMarkers,
        boolean peerToPeer,
        Optional<Rtr> rtr) {}
