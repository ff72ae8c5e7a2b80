package io.iwcm.nic.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.rnic.RnicConfig;
import io.iwcm.nic.rnic.RnicSnapshot;
import io.iwcm.nic.rnic.SoftDevice;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.Device;
import io.iwcm.nic.spi.Letter;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.steer.SipHash;
import io.iwcm.nic.wire.ArpPacket;
import io.iwcm.nic.wire.Drop;
import io.iwcm.nic.wire.EthernetHeader;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.FrameEncoder;
import io.iwcm.nic.wire.FrameParser;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Ipv4Address;
import io.iwcm.nic.wire.Ipv6Address;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.NeighbourMessage;
import io.iwcm.nic.wire.Parsed;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.TcpFrame;
import io.iwcm.nic.wire.VlanTag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * A {@link SoftRnic} on a bench: virtual time, a peer that says what a test wants it to say, and everything that comes out
 * written down as one line each, in order. Each frame that the NIC sends is checked besides: it parses, comes from the NIC's
 * MAC address, and goes to one that a host or a group has.
 */
public final class RnicRig implements Rnic.Output {

    public static final long SECOND = 1_000_000_000L;
    public static final MacAddress OURS = Flows.mac(1);
    public static final MacAddress PEER = Flows.mac(2);
    public static final Owner A = new Owner(1);
    public static final Owner B = new Owner(2);

    private final SoftRnic rnic;
    private final LeakFree leaks;
    private final List<String> lines = new ArrayList<>();
    private final List<Rnic.IlqEntry> ilq = new ArrayList<>();
    private final List<NicControl.Answer> answers = new ArrayList<>();
    private final List<Adopted> adopted = new ArrayList<>();
    private final List<byte[]> sent = new ArrayList<>();
    private long nowNs = 1_000 * SECOND;
    private long lastOrder;
    private boolean linkBusy;
    private int framesAtLink;

    public RnicRig(RnicConfig config) {
        this(config, new SoftDevice());
    }

    /** Without cookies. */
    public RnicRig(RnicConfig config, Device device) {
        this(config, device, new RnicConfig.Cookies(RnicConfig.CookieMode.OFF, SECOND, 0));
    }

    public RnicRig(RnicConfig config, Device device, RnicConfig.Cookies cookies) {
        rnic = new SoftRnic(config, new SipHash(0x1234, 0x5678), cookies, new Random(0x9abc)::nextLong, nowNs, device);
        leaks = LeakFree.since(() -> LeakFree.census(rnic.snapshot().held()));
    }

    /** An RNIC that has these addresses, {@code 10.0.0.1/24} or {@code 10.1.0.1/24@100}, is quiet, and knows A. */
    public static RnicRig with(String... addresses) {
        return over(new SoftDevice(), addresses);
    }

    /** The same over this device. */
    public static RnicRig over(Device device, String... addresses) {
        RnicRig rig = new RnicRig(quiet(addresses), device);
        rig.order(new NicControl.Attach(0, A));
        rig.take();
        return rig;
    }

    /** The usual configuration, but addresses are not announced. */
    public static RnicConfig quiet(String... addresses) {
        List<NicControl.LocalAddress> local = new ArrayList<>();
        for (String text : addresses) {
            int at = text.indexOf('@');
            local.add(Flows.address(
                    at < 0 ? text : text.substring(0, at), at < 0 ? 0 : Integer.parseInt(text.substring(at + 1))));
        }
        RnicConfig config = RnicConfig.of(OURS, local, 1500);
        RnicConfig.Behaviour b = config.behaviour();
        return behaving(
                config,
                new RnicConfig.Behaviour(
                        b.unmatched(),
                        b.resetsPerSecond(),
                        b.echoesPerSecond(),
                        b.icmpErrorsPerSecond(),
                        false,
                        b.timeWaitNs(),
                        b.claimNs()));
    }

    public static RnicConfig behaving(RnicConfig c, RnicConfig.Behaviour behaviour) {
        return new RnicConfig(c.mac(), c.addresses(), c.routes(), c.mtu(), behaviour, c.limits(), c.ports(), c.qp());
    }

    public static RnicConfig limited(RnicConfig c, RnicConfig.Limits limits) {
        return new RnicConfig(c.mac(), c.addresses(), c.routes(), c.mtu(), c.behaviour(), limits, c.ports(), c.qp());
    }

    public SoftRnic rnic() {
        return rnic;
    }

    public long nowNs() {
        return nowNs;
    }

    // What comes in

    /** Lets time pass; whatever becomes due is done when it is due. */
    public void pass(long ns) {
        long untilNs = nowNs + ns;
        for (long next = rnic.nextDeadlineNs(); next <= untilNs; next = rnic.nextDeadlineNs()) {
            nowNs = Math.max(nowNs, next);
            rnic.tick(nowNs, this);
        }
        nowNs = untilNs;
    }

    public NicControl.Answer order(NicControl control) {
        answers.clear();
        start(control);
        assertThat(answers).as("answers to one order").hasSize(1);
        return answers.removeFirst();
    }

    /** An order whose answer may come later. */
    public void start(NicControl control) {
        rnic.control(control, nowNs, this);
    }

    /** The answers since the last time. */
    public List<NicControl.Answer> takeAnswers() {
        List<NicControl.Answer> taken = List.copyOf(answers);
        answers.clear();
        return taken;
    }

    /** The link takes no frames until {@link #linkTakes}. */
    public void linkIsBusy() {
        linkBusy = true;
    }

    /** The link takes all that wait for it, and whatever comes from now on. */
    public void linkTakes() {
        linkBusy = false;
        rnic.transmitted(framesAtLink);
        framesAtLink = 0;
    }

    public void listen(String local, int vlan, int synBacklog, int backlog) {
        assertThat(order(new NicControl.Listen(
                        ++lastOrder, Flows.listen(local, vlan), synBacklog, backlog, SynOffer.DEFAULT)))
                .isInstanceOf(NicControl.Done.class);
    }

    /** Opens a flow; the local end may be unspecified. */
    public NicControl.Answer open(String local, String remote, int vlan) {
        return order(new NicControl.OpenFlow(++lastOrder, A, Flows.end(local), Flows.end(remote), vlan));
    }

    public FlowKey opened(String local, String remote) {
        return ((NicControl.FlowOpened) open(local, remote, 0)).flow();
    }

    public void request(Owner from, FlowKey flow, long epoch, long id, NicCommand... commands) {
        rnic.request(from, new NicRequest(flow, epoch, id, List.of(commands), Optional.empty()), nowNs, this);
    }

    public void request(Owner from, FlowKey flow, long epoch, long id, Checkpoint checkpoint, NicCommand... commands) {
        rnic.request(from, new NicRequest(flow, epoch, id, List.of(commands), Optional.of(checkpoint)), nowNs, this);
    }

    /** A request with everything that a request can have. */
    public void request(
            Owner from,
            FlowKey flow,
            long epoch,
            long id,
            long seen,
            Optional<Checkpoint> checkpoint,
            NicCommand... commands) {
        rnic.request(from, new NicRequest(flow, epoch, id, seen, List.of(commands), checkpoint), nowNs, this);
    }

    /** A frame from the wire, as it is. */
    public void receive(byte[]... frames) {
        rnic.frames(List.of(frames), nowNs, this);
    }

    /** A segment from the peer; the flow is told from our side, priority 0. */
    public void receive(FlowKey flow, Segment segment) {
        receive(frame(flow, segment, 0));
    }

    public static byte[] frame(FlowKey flow, Segment segment, int priority) {
        return FrameEncoder.tcp(
                new TcpFrame(new TcpFrame.Addressing(PEER, OURS, flow.reversed(), priority, 0), segment), 7);
    }

    public void receiveArp(ArpPacket packet, MacAddress to, int vlan) {
        receive(FrameEncoder.arp(new EthernetHeader(to, packet.senderMac(), tag(vlan)), packet));
    }

    public void receiveNeighbour(NeighbourMessage message, MacAddress from, MacAddress to, int vlan) {
        receive(FrameEncoder.neighbour(new EthernetHeader(to, from, tag(vlan)), message));
    }

    /** The host at {@code address}, IPv4 or IPv6, says that it is at {@code mac}, because we asked. */
    public void resolve(String address, MacAddress mac, int vlan) {
        switch (IpAddress.parse(address)) {
            case Ipv4Address v4 ->
                receiveArp(
                        new ArpPacket(ArpPacket.Operation.REPLY, mac, v4, OURS, (Ipv4Address) ours(v4, vlan)),
                        OURS,
                        vlan);
            case Ipv6Address v6 ->
                receiveNeighbour(
                        new NeighbourMessage.Advertisement(
                                v6,
                                (Ipv6Address) ours(v6, vlan),
                                v6,
                                Optional.of(mac),
                                new NeighbourMessage.Flags(false, true, true)),
                        mac,
                        OURS,
                        vlan);
        }
    }

    private IpAddress ours(IpAddress peer, int vlan) {
        return rnic.addresses().stream()
                .filter(own -> own.vlan() == vlan && peer.inPrefix(own.address(), own.prefixLength()))
                .findFirst()
                .orElseThrow()
                .address();
    }

    /** A passive flow as far as its quad hash entry; gives the epoch. The peer's MAC address is learnt before. */
    public long install(Owner owner, FlowKey flow) {
        return install(owner, flow, Optional.of(NicCommand.ListenKey.of(flow)));
    }

    /** A flow as far as its quad hash entry; gives the epoch. */
    public long install(Owner owner, FlowKey flow, Optional<NicCommand.ListenKey> listener) {
        request(owner, flow, 0, 1, new NicCommand.CreateAh(NicCommand.Path.DEFAULT));
        if (rnic.snapshot().held().underWay().waiters() > 0) {
            resolve(flow.remote().address().toString(), PEER, flow.vlan());
        }
        request(owner, flow, 0, 2, new NicCommand.AddQuadHash(listener));
        return rnic.epochOf(flow).orElseThrow();
    }

    // What comes out

    /** The lines since the last time. */
    public List<String> take() {
        List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }

    /** The ILQ entries since the last time. */
    public List<Rnic.IlqEntry> takeIlq() {
        List<Rnic.IlqEntry> taken = List.copyOf(ilq);
        ilq.clear();
        return taken;
    }

    /** An adoption and whose it is now. */
    public record Adopted(Owner to, Rnic.Adopt adopt) {}

    /** The adoptions since the last time. */
    public List<Adopted> takeAdopted() {
        List<Adopted> taken = List.copyOf(adopted);
        adopted.clear();
        return taken;
    }

    /** The frames sent since the last time. */
    public List<byte[]> takeSent() {
        List<byte[]> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    /** Everything that was ever in use has been given back. */
    public void checkLeakFree() {
        leaks.check();
    }

    public RnicSnapshot.Held held() {
        return rnic.snapshot().held();
    }

    public long count(NicCounter counter) {
        return rnic.snapshot().count(counter);
    }

    public long drops(Drop why) {
        return rnic.snapshot().drops(why);
    }

    @Override
    public void transmit(byte[] frame) {
        Parsed parsed = FrameParser.parse(frame);
        MacAddress to = new MacAddress(bits(frame, 0));
        assertThat(to).as("destination of %s", parsed).isNotEqualTo(MacAddress.ZERO);
        assertThat(new MacAddress(bits(frame, 6))).as("source of %s", parsed).isEqualTo(OURS);
        lines.add("> " + to + " " + RigText.describe(parsed));
        sent.add(frame);
        framesAtLink++;
        if (!linkBusy) {
            linkTakes();
        }
    }

    private static long bits(byte[] frame, int at) {
        long bits = 0;
        for (int i = 0; i < 6; i++) {
            bits = bits << 8 | (frame[at + i] & 0xff);
        }
        return bits;
    }

    @Override
    public void ilq(Owner to, Rnic.IlqEntry entry) {
        ilq.add(entry);
        TcpFrame frame = entry.frame();
        lines.add("ilq " + to.id() + " " + frame.addressing().flow() + RigText.priority(frame) + " "
                + RigText.text(frame.segment())
                + (entry.listener().isPresent() ? " listener" : "")
                + entry.isnAbove().map(isn -> " isn above " + isn).orElse("")
                + entry.completed().map(said -> " completed").orElse(""));
    }

    @Override
    public void event(Owner to, Rnic.FlowEvent event) {
        lines.add("event " + to.id() + " " + event.flow() + " epoch " + event.epoch() + " "
                + RigText.describe(event.event()));
    }

    @Override
    public void deliver(Owner to, Rnic.Delivery delivery) {
        switch (delivery) {
            case Rnic.Adopt adopt -> {
                adopted.add(new Adopted(to, adopt));
                lines.add("adopt " + to.id() + " " + adopt.flow() + " epoch " + adopt.epoch() + " " + adopt.checkpoint()
                        + adopt.events().stream()
                                .map(event -> ", " + event.number() + " " + RigText.describe(event.event()))
                                .collect(Collectors.joining()));
            }
            case Rnic.Forwarded(FlowKey flow, Letter letter) ->
                lines.add("letter " + to.id() + " " + flow + " " + letter);
            case Rnic.IlqEntry entry -> ilq(to, entry);
            case Rnic.FlowEvent event -> event(to, event);
            case Rnic.Dismissed _ -> lines.add("dismissed " + to.id());
        }
    }

    @Override
    public void answer(NicControl.Answer given) {
        answers.add(given);
    }

    private static VlanTag tag(int vlan) {
        return new VlanTag(0, false, vlan);
    }
}
