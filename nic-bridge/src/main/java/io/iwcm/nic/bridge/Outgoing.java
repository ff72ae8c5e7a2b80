package io.iwcm.nic.bridge;

import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.Owner;
import io.iwcm.nic.spi.Rnic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Collects what the RNIC puts out while it works on a batch: frames for the link, one message per dispatcher, answers to
 * whoever ordered. Used by the NIC's thread alone.
 *
 * <p>A dispatcher that has more ILQ entries unread than its credit gets no more SYNs; one that has as many unread as the
 * limit gets no ILQ entries at all. Events always pass: there are only so many per connection.
 */
final class Outgoing implements Rnic.Output {

    /** Most deliveries in one message. */
    static final int DELIVERIES_MAX = 64;

    private final IlqLimits limits;
    private final BridgeCounters counters;
    private final Map<Owner, Port> ports = new HashMap<>();
    private final Map<Owner, List<Rnic.Delivery>> deliveries = new LinkedHashMap<>();
    private final Map<Long, Pending> pending = new HashMap<>();
    private final List<Runnable> answers = new ArrayList<>();
    private List<byte[]> frames = new ArrayList<>();
    private long lastOrderId;

    Outgoing(IlqLimits limits, BridgeCounters counters) {
        this.limits = limits;
        this.counters = counters;
    }

    /** From now on {@code owner} is {@code to}, which has nothing unread. */
    void attach(Owner owner, ActorRef<Bridge.Delivered> to) {
        ports.put(owner, new Port(to));
    }

    /** Whether {@code from} still was {@code owner}. */
    boolean detach(Owner owner, ActorRef<Bridge.Delivered> from) {
        Port port = ports.get(owner);
        if (port == null || !port.to.equals(from)) return false;
        ports.remove(owner);
        return true;
    }

    /** {@code owner} has been replaced: nothing goes there any more. */
    void detach(Owner owner) {
        ports.remove(owner);
    }

    void grant(Owner owner, int entries) {
        Port port = ports.get(owner);
        if (port != null) port.unread = Math.max(0, port.unread - entries);
    }

    /** The order under an id of this NIC's own, so that those of many senders cannot meet. */
    NicControl register(NicControl order, ActorRef<NicControl.Answer> replyTo) {
        long id = ++lastOrderId;
        pending.put(id, new Pending(order.id(), replyTo));
        return OrderIds.withId(order, id);
    }

    @Override
    public void transmit(byte[] frame) {
        frames.add(frame);
    }

    @Override
    public void ilq(Owner to, Rnic.IlqEntry entry) {
        Port port = ports.get(to);
        if (port == null) {
            counters.count(BridgeCounter.UNDELIVERABLE);
            return;
        }
        boolean opening = entry.listener().isPresent() && entry.completed().isEmpty();
        if (port.unread >= (opening ? limits.credits() : limits.most())) {
            counters.count(BridgeCounter.ILQ_FULL);
            return;
        }
        port.unread++;
        counters.count(BridgeCounter.ILQ_ENTRIES);
        collect(to, entry);
    }

    @Override
    public void event(Owner to, Rnic.FlowEvent event) {
        if (!ports.containsKey(to)) {
            counters.count(BridgeCounter.UNDELIVERABLE);
            return;
        }
        counters.count(BridgeCounter.EVENTS);
        collect(to, event);
    }

    @Override
    public void deliver(Owner to, Rnic.Delivery delivery) {
        if (!ports.containsKey(to)) {
            counters.count(BridgeCounter.UNDELIVERABLE);
            return;
        }
        collect(to, delivery);
    }

    @Override
    public void answer(NicControl.Answer answer) {
        Pending order = pending.remove(answer.id());
        if (order != null) answers.add(() -> order.replyTo.tell(OrderIds.withId(answer, order.senderId)));
    }

    /**
     * Tells the dispatchers what has been collected for them, then those who ordered: who hears that a dispatcher has been
     * replaced finds that all others have been told of the flows that are theirs now.
     */
    void deliver() {
        deliveries.forEach((owner, batch) -> {
            Port port = ports.get(owner);
            if (port != null) tell(owner, port, batch);
        });
        deliveries.clear();
        answers.forEach(Runnable::run);
        answers.clear();
    }

    /** In messages that another member can be sent: the flows of one that has failed come all at once. */
    private static void tell(Owner owner, Port port, List<Rnic.Delivery> batch) {
        for (int from = 0; from < batch.size(); from += DELIVERIES_MAX) {
            int to = Math.min(batch.size(), from + DELIVERIES_MAX);
            boolean whole = to - from == batch.size();
            port.to.tell(new Bridge.Delivered(owner, whole ? batch : List.copyOf(batch.subList(from, to))));
        }
    }

    boolean hasFrames() {
        return !frames.isEmpty();
    }

    /** The frames collected since the last time, handed over. */
    List<byte[]> takeFrames() {
        List<byte[]> batch = frames;
        frames = new ArrayList<>();
        return batch;
    }

    /** How many frames wait. */
    int frameCount() {
        return frames.size();
    }

    private void collect(Owner to, Rnic.Delivery delivery) {
        deliveries.computeIfAbsent(to, _ -> new ArrayList<>()).add(delivery);
    }

    private static final class Port {
        private final ActorRef<Bridge.Delivered> to;
        private int unread;

        Port(ActorRef<Bridge.Delivered> to) {
            this.to = to;
        }
    }

    private record Pending(long senderId, ActorRef<NicControl.Answer> replyTo) {}
}
