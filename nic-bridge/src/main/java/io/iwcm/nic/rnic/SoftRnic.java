package io.iwcm.nic.rnic;

import io.iwcm.nic.memory.RegionTable;
import io.iwcm.nic.spi.Checkpoint;
import io.iwcm.nic.spi.Device;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.spi.NicRequest;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.Rnic;
import io.iwcm.nic.steer.FlowEntry;
import io.iwcm.nic.steer.Neighbours;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.steer.PortAllocator;
import io.iwcm.nic.steer.SynEntry;
import io.iwcm.nic.steer.TupleHash;
import io.iwcm.nic.verbs.VerbsDevice;
import io.iwcm.nic.verbs.VerbsOrder;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.MacAddress;
import io.iwcm.nic.wire.TcpFrame;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The RNIC in software: a machine for one thread.
 *
 * <p>What it decides where the seam leaves room:
 *
 * <ul>
 *   <li>The first request for a flow, not only its {@code AddQuadHash}, makes the one who prepares it; others are told that
 *       the quad is taken. A repeated SYN goes to whoever prepares.
 *   <li>A SYN entry is a use of its port; listening again on an endpoint gives it other limits and keeps the places taken.
 *   <li>The port table gates nothing: a flow is caught by the quad hash although its listener, and with it the port, is gone.
 *   <li>When a dispatcher goes, its flows go to those who are left; when nobody is left, or a flow has no checkpoint, it ends:
 *       its peer is reset and everything is given back.
 *   <li>A flow that was reserved or prepared and never entered in the quad hash is given back after {@code claimNs}.
 *   <li>Of a flow in TIME_WAIT an active open cannot be had; a listener gets a SYN beyond the old numbers, with the number
 *       that our initial sequence number must exceed.
 * </ul>
 */
public final class SoftRnic implements Rnic, VerbsDevice {

    /** Frames received from inside before the link has its turn again. */
    private static final int ROUND_MAX = 1024;

    private final Tables tables;
    private final Egress egress;
    private final QpBank qps;
    private final RegionTable regions;
    private final Ingress ingress;
    private final FlowOrders orders;
    private final ControlOrders controls;
    private final long startedNs;
    private boolean announcementDue;
    private long lastNs;

    /**
     * @param hash keyed with a secret of this start
     * @param cookies when SYNs are answered with cookies
     * @param secrets a strong source: what SYN cookies are keyed with
     * @param nowNs the time; it never goes back from here
     * @throws IllegalArgumentException when the configuration cannot be; the message says why in one sentence
     */
    public SoftRnic(RnicConfig config, TupleHash hash, RnicConfig.Cookies cookies, LongSupplier secrets, long nowNs) {
        this(config, hash, cookies, secrets, nowNs, new SoftDevice());
    }

    /**
     * @param hash keyed with a secret of this start
     * @param cookies when SYNs are answered with cookies
     * @param secrets a strong source: what SYN cookies are keyed with
     * @param nowNs the time; it never goes back from here
     * @param device taken over
     * @throws IllegalArgumentException when the configuration cannot be; the message says why in one sentence
     */
    public SoftRnic(
            RnicConfig config,
            TupleHash hash,
            RnicConfig.Cookies cookies,
            LongSupplier secrets,
            long nowNs,
            Device device) {
        tables = new Tables(config, device);
        egress = new Egress(
                tables, config.limits().loopbackMax(), config.behaviour().frameStyle());
        regions = new RegionTable(config.qp().work().regionsMax(), secrets);
        WorkBank works = new WorkBank(regions, config.qp().work().depthMax());
        qps = new QpBank(tables, egress, works, config.qp(), config.limits().qpsMax());
        CookieTalk cookieTalk = new CookieTalk(tables, egress, hash, cookies, secrets, nowNs);
        ingress = new Ingress(tables, egress, qps, cookieTalk, hash, config.behaviour(), nowNs);
        Steering steering = new Steering(tables);
        HandOvers handOvers = new HandOvers(tables, egress, qps);
        orders = new FlowOrders(tables, egress, qps, steering, handOvers);
        PortAllocator ports =
                new PortAllocator(config.ports().first(), config.ports().last(), hash, tables.counts);
        boolean announces = config.behaviour().announce();
        Listens listens = new Listens(tables);
        Openings openings = new Openings(tables, ports);
        Succession succession = new Succession(tables, qps, handOvers, orders, hash);
        controls = new ControlOrders(tables, egress, qps, succession, handOvers, listens, openings, announces);
        announcementDue = announces && !config.addresses().isEmpty();
        startedNs = nowNs;
        lastNs = nowNs;
    }

    @Override
    public void frames(List<byte[]> batch, long nowNs, Output out) {
        Turn turn = turn(nowNs, out);
        for (byte[] frame : batch) {
            ingress.frame(frame, turn);
        }
        goRound(turn);
    }

    @Override
    public void request(Owner from, NicRequest request, long nowNs, Output out) {
        Turn turn = turn(nowNs, out);
        orders.request(from, request, turn);
        goRound(turn);
    }

    @Override
    public void control(NicControl control, long nowNs, Output out) {
        Turn turn = turn(nowNs, out);
        controls.carryOut(control, turn);
        goRound(turn);
    }

    @Override
    public void verbs(VerbsOrder order, long nowNs, Output out) {
        Turn turn = turn(nowNs, out);
        switch (order) {
            case VerbsOrder.Register asked -> {
                var region = regions.register(asked.domain(), asked.memory(), asked.base(), asked.access());
                if (region.isEmpty()) tables.counts.add(NicCounter.REGIONS_REFUSED);
                asked.answer().accept(region);
            }
            case VerbsOrder.Deregister(var region, var answer) -> {
                regions.deregister(region);
                answer.run();
            }
            case VerbsOrder.Open open -> {
                boolean good = qps.open(open);
                if (!good) tables.counts.add(NicCounter.QUEUES_REFUSED);
                open.answer().accept(good);
            }
            case VerbsOrder.Post post -> qps.post(post, turn);
        }
        goRound(turn);
    }

    @Override
    public void wakeWith(Runnable wake) {
        tables.device.ringWith(wake);
    }

    @Override
    public void transmitted(int frames) {
        tables.device.buffersFree(frames);
    }

    @Override
    public void tick(long nowNs, Output out) {
        Turn turn = turn(nowNs, out);
        tables.device.poll(turn);
        tables.tick(turn);
        if (announcementDue) {
            announcementDue = false;
            tables.local.all().forEach(own -> egress.announce(own, turn));
        }
        tables.neighbours.tick(nowNs, egress.asking(turn));
        tables.timeWaits.tick(nowNs);
        for (var due = tables.claims.takeDue(nowNs); due.isPresent(); due = tables.claims.takeDue(nowNs)) {
            tables.counts.add(NicCounter.FLOWS_EXPIRED);
            tables.flows.find(due.get()).ifPresent(entry -> expire(entry, turn));
        }
        qps.tick(turn);
        goRound(turn);
    }

    /** One in the quad hash has waited for an owner in vain. */
    private void expire(FlowEntry entry, Turn turn) {
        if (entry.isInstalled()) {
            orders.orphan(entry, turn);
        } else {
            tables.release(entry, turn);
        }
    }

    @Override
    public long nextDeadlineNs() {
        if (!egress.loopback().isEmpty()) {
            return lastNs;
        }
        long next = announcementDue ? startedNs : Long.MAX_VALUE;
        next = Math.min(next, tables.neighbours.nextNs());
        next = Math.min(next, tables.timeWaits.nextNs());
        next = Math.min(next, tables.claims.nextNs());
        next = Math.min(next, tables.nextNs());
        return Math.min(next, qps.nextNs());
    }

    /** What is in use and what has been counted, now. */
    public RnicSnapshot snapshot() {
        int halfOpen = 0;
        int waiting = 0;
        List<SynEntry> listeners = tables.flows.listeners();
        for (SynEntry listener : listeners) {
            halfOpen += listener.halfOpen();
            waiting += listener.waiting();
        }
        RnicSnapshot.Held held = new RnicSnapshot.Held(
                tables.flows.size(),
                listeners.size(),
                halfOpen,
                waiting,
                tables.ports.size(),
                tables.handles.size(),
                qps.size(),
                underWay());
        return new RnicSnapshot(
                held, tables.timeWaits.size(), tables.drops.snapshot(), tables.counts.snapshot(), qps.counted());
    }

    /** Every SYN entry with the places that are taken, in the order they came. */
    public List<BacklogUse> backlogs() {
        return tables.flows.listeners().stream()
                .map(entry -> new BacklogUse(entry.key(), entry.halfOpen(), entry.waiting()))
                .toList();
    }

    /** The dispatchers that are there, by name. */
    public List<OwnerUse> owners() {
        return tables.owners.all().stream()
                .map(owner -> new OwnerUse(owner, tables.flows.flowsOf(owner).size()))
                .toList();
    }

    private RnicSnapshot.UnderWay underWay() {
        return new RnicSnapshot.UnderWay(
                tables.neighbours.waiting(),
                egress.loopback().size(),
                tables.device.underWay(),
                tables.stuck() + qps.stuck(),
                tables.device.buffersInUse(),
                tables.claims.size() + qps.deadlines());
    }

    /** All neighbours, the one used least recently first. */
    public List<Neighbours.Row> neighbours() {
        return tables.neighbours.rows();
    }

    /** The SYN entries in the order they came. */
    public List<SteeringRow> listening() {
        return tables.flows.listeners().stream().map(SteeringRow::of).toList();
    }

    /**
     * What frames are steered by: SYN entries, then flows, then TIME_WAIT, each in the order they came.
     *
     * @param from so many are left out
     * @param most so many follow at most
     */
    public List<SteeringRow> steering(int from, int most) {
        Stream<SteeringRow> flows = tables.flows.flows().stream().map(SteeringRow::of);
        Stream<SteeringRow> timeWaits = tables.timeWaits.flows().stream().map(SteeringRow::ofTimeWait);
        return Stream.concat(Stream.concat(listening().stream(), flows), timeWaits)
                .skip(from)
                .limit(most)
                .toList();
    }

    /** Its own MAC address. */
    public MacAddress mac() {
        return tables.local.mac();
    }

    /** All addresses in the order they came. */
    public List<LocalAddress> addresses() {
        return tables.local.all();
    }

    /** The epoch of a flow that is in the quad hash. */
    public Optional<Long> epochOf(FlowKey flow) {
        return tables.flows.find(flow).filter(FlowEntry::isInstalled).map(FlowEntry::epoch);
    }

    /** What was stored for a flow. */
    public Optional<Checkpoint> checkpointOf(FlowKey flow) {
        return tables.flows.find(flow).flatMap(FlowEntry::checkpoint);
    }

    private Turn turn(long nowNs, Output out) {
        lastNs = nowNs;
        Turn turn = new Turn(nowNs, out);
        tables.device.begin(turn);
        return turn;
    }

    /** Receives what came round inside, in order; what that sends joins the queue. The rest is due at once. */
    private void goRound(Turn turn) {
        ArrayDeque<TcpFrame> loopback = egress.loopback();
        for (int left = ROUND_MAX; left > 0 && !loopback.isEmpty(); left--) {
            ingress.fromInside(loopback.remove(), turn);
        }
    }
}
