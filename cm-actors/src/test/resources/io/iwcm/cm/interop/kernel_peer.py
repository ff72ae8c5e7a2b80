"""Sockets of the kernel, played by a test.

Each line on standard input is an order, each gets one line on standard output; sockets go by names of the test's choice.
What the kernel refuses is answered with the name of its errno. Knows nothing of MPA: octets go in and out as hex.
"""
import errno
import os
import select
import socket
import struct
import sys
import time

DEADLINE_S = 30
GAP_S = 0.002
sockets = {}


def family(host):
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def listen(name, host):
    """Any free port; answers which."""
    listener = socket.socket(family(host))
    listener.bind((host, 0))
    listener.listen(64)
    listener.settimeout(DEADLINE_S)
    sockets[name] = listener
    return str(listener.getsockname()[1])


def unused(host):
    """A port that was free just now."""
    with socket.socket(family(host)) as probe:
        probe.bind((host, 0))
        return str(probe.getsockname()[1])


def accept(name, listener):
    sockets[name], remote = sockets[listener].accept()
    prepare(sockets[name])
    return str(remote[0])


def begin(name, host, port):
    """Sends a SYN and does not wait."""
    sockets[name] = socket.socket(family(host))
    sockets[name].setblocking(False)
    where = socket.getaddrinfo(host, int(port), family(host), socket.SOCK_STREAM)[0][4]  # Knows what a scope is.
    code = sockets[name].connect_ex(where)
    return "begun" if code == errno.EINPROGRESS else errno.errorcode[code]


def finish(name):
    """Waits for what came of the SYN."""
    prepare(sockets[name])
    remote = sockets[name]
    if not select.select([], [remote], [], DEADLINE_S)[1]:
        return "deadline"
    code = remote.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    return errno.errorcode[code] if code else "connected"


def connect(name, host, port):
    begun = begin(name, host, port)
    return finish(name) if begun == "begun" else begun


def prepare(connection):
    connection.settimeout(DEADLINE_S)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def send(name, octets):
    sockets[name].sendall(bytes.fromhex(octets))
    return "sent"


def trickle(name, octets):
    """One octet to a segment."""
    for octet in bytes.fromhex(octets):
        sockets[name].sendall(bytes([octet]))
        time.sleep(GAP_S)
    return "sent"


def receive(name, length):
    """So many octets, or fewer and how the stream ended."""
    octets, end = b"", ""
    try:
        while len(octets) < int(length) and not end:
            some = sockets[name].recv(int(length) - len(octets))
            octets += some
            end = "" if some else "FIN"
    except OSError as e:
        end = trouble(e)
    return " ".join(filter(None, [octets.hex(), end]))


def rest(name):
    """All that comes until the stream ends, and how it ends."""
    return receive(name, 1 << 20)


def half_close(name):
    sockets[name].shutdown(socket.SHUT_WR)
    return "done"


def close(name):
    sockets.pop(name).close()
    return "done"


def reset(name):
    sockets[name].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return close(name)


def ping(host, length):
    """An echo request with so many octets of data; answers whether they came back."""
    v4 = ":" not in host
    protocol = socket.IPPROTO_ICMP if v4 else socket.IPPROTO_ICMPV6
    data = bytes(i & 0xFF for i in range(int(length)))
    ident = os.getpid() & 0xFFFF
    with socket.socket(family(host), socket.SOCK_RAW, protocol) as raw:
        raw.settimeout(DEADLINE_S)
        echo = struct.pack(">BBHHH", 8 if v4 else 128, 0, 0, ident, 1) + data
        if v4:  # The kernel fills the checksum in for IPv6 only.
            echo = echo[:2] + struct.pack(">H", internet_checksum(echo)) + echo[4:]
        raw.sendto(echo, (host, 0))
        while True:
            reply, sender = raw.recvfrom(1 << 16)
            message = reply[(reply[0] & 15) * 4 :] if v4 else reply
            if message[0] == (0 if v4 else 129) and message[4:8] == echo[4:8]:
                return "reply" if sender[0] == host and message[8:] == data else "other"


def internet_checksum(octets):
    padded = octets + b"\0" * (len(octets) % 2)
    total = sum(struct.unpack(">%dH" % (len(padded) // 2), padded))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def trouble(e):
    return "deadline" if isinstance(e, TimeoutError) else errno.errorcode.get(e.errno, str(e))


ORDERS = {
    f.__name__.replace("_", "-"): f
    for f in (
        listen, unused, accept, begin, finish, connect, send, trickle, receive, rest, half_close, close, reset, ping,
    )
}
for line in sys.stdin:
    order, *arguments = line.split()
    try:
        answer = ORDERS[order](*arguments)
    except OSError as e:
        answer = trouble(e)
    print(answer, flush=True)
