package io.iwcm.cm.actor;

import io.iwcm.nic.bridge.Bridge;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.TcpOptions;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What crosses most between a bridge and dispatchers on other members. */
final class Crossings {

    private Crossings() {}

    /** A batch of SYNs that a listener has caught. */
    static Bridge.Delivered syns(int count) {
        List<Rnic.Delivery> entries =
                IntStream.range(0, count).mapToObj(Crossings::syn).toList();
        return new Bridge.Delivered(new Owner(3), entries);
    }

    private static Rnic.Delivery syn(int i) {
        FlowKey flow = Flows.flow("10.0.0.1:4420", "10.0.0.2:" + (40_000 + i));
        TcpFrame frame = new TcpFrame(
                new TcpFrame.Addressing(Flows.mac(1), Flows.mac(2), flow, 0, 0),
                new Segment(
                        new SeqNum(0x9e3779b9 * i),
                        new SeqNum(0),
                        Segment.SYN,
                        64_240,
                        TcpOptions.ofSyn(1460, 7),
                        Octets.EMPTY));
        return new Rnic.IlqEntry(frame, Optional.of(ListenKey.of(flow)));
    }
}
