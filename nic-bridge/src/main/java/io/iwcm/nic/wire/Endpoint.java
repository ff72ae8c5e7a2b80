package io.iwcm.nic.wire;

/**
 * One end of a TCP connection.
 *
 * @param address IPv4 or IPv6
 * @param port 0..65535; 0 only where a port is yet to be chosen
 */
public record Endpoint(IpAddress address, int port) {

    public Endpoint {
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port " + port + " is out of range: 0..65535 are allowed");
        }
    }

    @Override
    public String toString() {
        return address.isV4() ? address + ":" + port : "[" + address + "]:" + port;
    }
}
