package io.iwcm.cm.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.link.Link;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.ArpPacket;
import io.iwcm.nic.wire.EthernetHeader;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.FrameEncoder;
import io.iwcm.nic.wire.FrameParser;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.NeighbourMessage;
import io.iwcm.nic.wire.Parsed;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.TcpFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A host made by hand on a lab's wire: it has every address that is asked for and is not the station's, says what a test
 * wants it to say, and keeps the TCP that it is sent.
 */
final class Stranger implements Link.Receiver {

    static final MacAddress MAC = Flows.mac(99);

    private final Link link;
    private final MacAddress station;
    private final BlockingQueue<TcpFrame> frames = new LinkedBlockingQueue<>();
    private final AtomicInteger questionsLeft = new AtomicInteger();
    private final AtomicInteger framesToNobody = new AtomicInteger();

    /** @param station number of the station that it talks to */
    Stranger(Link link, int station) {
        this.link = link;
        this.station = Flows.mac(station);
        link.start(this);
    }

    /** Does not answer the next questions where it is, so many of them. */
    void ignore(int questions) {
        questionsLeft.set(questions);
    }

    /** How many frames there were to 00:00:00:00:00:00. */
    int framesToNobody() {
        return framesToNobody.get();
    }

    /** Sends a segment of a flow that is told from the station's side. */
    void send(FlowKey flow, Segment segment, int priority, int trafficClass) {
        TcpFrame.Addressing addressing = new TcpFrame.Addressing(MAC, station, flow.reversed(), priority, trafficClass);
        link.transmit(List.of(FrameEncoder.tcp(new TcpFrame(addressing, segment), 1)));
    }

    void syn(FlowKey flow, int priority, int trafficClass) {
        send(flow, Flows.syn(1000), priority, trafficClass);
    }

    /** What it is sent next, told from its own side. */
    TcpFrame take() {
        try {
            TcpFrame next = frames.poll(30, TimeUnit.SECONDS);
            assertThat(next).as("a TCP frame").isNotNull();
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    List<TcpFrame> take(int count) {
        List<TcpFrame> taken = new ArrayList<>();
        while (taken.size() < count) taken.add(take());
        return taken;
    }

    /** What it has been sent so far and nobody took. */
    List<TcpFrame> drain() {
        List<TcpFrame> drained = new ArrayList<>();
        frames.drainTo(drained);
        return drained;
    }

    /** An announcement asks for nobody. */
    private static boolean isQuestion(ArpPacket packet) {
        return packet.operation() == ArpPacket.Operation.REQUEST
                && !packet.senderIp().equals(packet.targetIp());
    }

    private boolean answers() {
        return questionsLeft.getAndUpdate(left -> Math.max(0, left - 1)) == 0;
    }

    @Override
    public void frames(List<byte[]> batch) {
        for (byte[] frame : batch) {
            if (Arrays.equals(frame, 0, 6, new byte[6], 0, 6)) framesToNobody.incrementAndGet();
            switch (FrameParser.parse(frame)) {
                case Parsed.Tcp(TcpFrame tcp) -> frames.add(tcp);
                case Parsed.Arp(EthernetHeader ethernet, ArpPacket packet)
                when isQuestion(packet) && answers() ->
                    link.transmit(List.of(FrameEncoder.arp(ethernet.reply(MAC), packet.reply(MAC))));
                case Parsed.Neighbour(EthernetHeader ethernet, NeighbourMessage.Solicitation asked)
                when answers() ->
                    link.transmit(List.of(FrameEncoder.neighbour(ethernet.reply(MAC), asked.answer(MAC))));
                case Parsed.Arp _, Parsed.Neighbour _, Parsed.Echo _, Parsed.IcmpError _, Parsed.Dropped _ -> {}
            }
        }
    }
}
