package io.iwcm.cm.script;

import io.iwcm.nic.spi.AsyncEvent;
import io.iwcm.nic.spi.NicCommand;
import io.iwcm.nic.spi.NicCommand.BacklogPlace;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicEvent;
import io.iwcm.nic.spi.NicEvent.Failure;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.SeqNum;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The NIC of one connection: answers orders at once unless told otherwise, and keeps the books of what was taken and given
 * back. An order that does not fit the books is a {@link Violation}.
 */
final class FakeNic {

    /** The orders that have an answer. */
    enum Order {
        AH,
        QUAD,
        QP
    }

    /** The machine did with the NIC what it must not. */
    static final class Violation extends RuntimeException {
        Violation(String message) {
            super(message);
        }
    }

    private enum Holding {
        NOTHING,
        ASKED,
        HELD,
        REFUSED,
        GIVEN_TO_QP,
        TIME_WAIT_ROW
    }

    private final Set<Order> holding = EnumSet.noneOf(Order.class);
    private final Set<Order> waiting = EnumSet.noneOf(Order.class);
    private final Map<Order, Failure> failing = new EnumMap<>(Order.class);
    private final Deque<NicEvent> events = new ArrayDeque<>();

    private Holding addressHandle = Holding.NOTHING;
    private Holding quad = Holding.NOTHING;
    private BacklogPlace place = BacklogPlace.NONE;
    private int apbvtUses;
    private boolean handedOver;
    private Optional<SeqNum> timeWaitNumber = Optional.empty();
    private Optional<Integer> listenerPlaces = Optional.empty();
    private int mtu = 1_500;

    void mtu(int octets) {
        mtu = octets;
    }

    /** A SYN entry is there; it has this many places. */
    void listen(int backlog) {
        listenerPlaces = Optional.of(backlog);
    }

    void unlisten() {
        listenerPlaces = Optional.empty();
    }

    boolean listening() {
        return listenerPlaces.isPresent();
    }

    void hold(Order order) {
        holding.add(order);
    }

    /** Answers what waits, and later orders at once. */
    void release(Order order) {
        holding.remove(order);
        if (waiting.remove(order)) {
            succeed(order);
        }
    }

    /** Fails the order that waits; without one, the next. */
    void fail(Order order, Failure why) {
        if (waiting.remove(order)) {
            refuse(order, why);
        } else {
            failing.put(order, why);
        }
    }

    /** An event that no order asked for. */
    void say(NicEvent event) {
        events.add(event);
    }

    /** The next event for the connection. */
    Optional<NicEvent> nextEvent() {
        Optional<NicEvent> event = Optional.ofNullable(events.poll());
        if (event.isPresent() && event.get() instanceof NicEvent.ModifyQpFailed) {
            handedOver = false;
        }
        return event;
    }

    /** All events that are left for the connection. */
    List<NicEvent> nextEvents() {
        List<NicEvent> left = new ArrayList<>();
        for (Optional<NicEvent> event = nextEvent(); event.isPresent(); event = nextEvent()) {
            left.add(event.get());
        }
        return left;
    }

    void carryOut(NicCommand command) {
        switch (command) {
            case NicCommand.CreateAh _ -> {
                require(
                        addressHandle == Holding.NOTHING || addressHandle == Holding.REFUSED,
                        "a second address handle was asked for");
                addressHandle = Holding.ASKED;
                ask(Order.AH);
            }
            case NicCommand.FreeAh _ -> freeAddressHandle();
            case NicCommand.AddQuadHash(var listener) -> addQuadHash(listener);
            case NicCommand.DeleteQuadHash _ -> deleteQuadHash();
            case NicCommand.AddApbvt _ -> apbvtUses++;
            case NicCommand.DeleteApbvt _ -> {
                require(apbvtUses > 0, "a use of the local port was given back twice");
                apbvtUses--;
            }
            case NicCommand.MoveInBacklog(var to) -> {
                require(place != BacklogPlace.NONE, "a backlog place was moved that is not held");
                place = to;
            }
            case NicCommand.Transmit(var segment) -> transmit(segment);
            case NicCommand.ModifyQp _ -> {
                require(quad == Holding.HELD, "a queue pair was given a flow that is not in the quad hash");
                require(!handedOver, "a second hand-over");
                handedOver = true;
                ask(Order.QP);
            }
            case NicCommand.AbortQp _ -> {
                require(handedOver, "an order to a queue pair that does not have the connection");
                waiting.remove(Order.QP);
            }
            case NicCommand.Reinject _, NicCommand.CloseQp _, NicCommand.TerminateQp _ ->
                require(handedOver, "an order to a queue pair that does not have the connection");
            case NicCommand.EnterTimeWait(var row) -> {
                timeWaitNumber = Optional.of(row.sndNxt());
                require(quad == Holding.HELD, "TIME_WAIT for a flow that is not in the quad hash");
                quad = Holding.TIME_WAIT_ROW;
                addressHandle = addressHandle == Holding.NOTHING ? Holding.NOTHING : Holding.TIME_WAIT_ROW;
                place = BacklogPlace.NONE;
            }
        }
    }

    /** What the connection still holds; empty when everything was given back. */
    List<String> held() {
        List<String> held = new ArrayList<>();
        note(held, addressHandle == Holding.HELD || addressHandle == Holding.ASKED, "the address handle");
        note(held, quad == Holding.HELD || quad == Holding.ASKED, "the quad hash entry");
        note(held, apbvtUses > 0, "a use of the local port (APBVT)");
        note(held, place != BacklogPlace.NONE, "a place in the backlog: " + Words.kebab(place));
        return held;
    }

    /** The last of our numbers that a TIME_WAIT row remembers; a new connection of the flow takes the row away. */
    Optional<SeqNum> takeTimeWait() {
        Optional<SeqNum> number = timeWaitNumber;
        timeWaitNumber = Optional.empty();
        return number;
    }

    /** A new connection on the same NIC. */
    void reset() {
        addressHandle = Holding.NOTHING;
        quad = Holding.NOTHING;
        handedOver = false;
        waiting.clear();
        events.clear();
    }

    private static void note(List<String> held, boolean isHeld, String what) {
        if (isHeld) {
            held.add(what);
        }
    }

    private void freeAddressHandle() {
        require(addressHandle != Holding.NOTHING, "the address handle was given back twice");
        addressHandle = Holding.NOTHING;
        waiting.remove(Order.AH);
    }

    private void addQuadHash(Optional<ListenKey> listener) {
        require(quad == Holding.NOTHING || quad == Holding.REFUSED, "a second quad hash entry was asked for");
        quad = Holding.ASKED;
        if (listener.isPresent() && listenerPlaces.isEmpty()) {
            refuse(Order.QUAD, Failure.NOT_LISTENING);
        } else if (listener.isPresent() && listenerPlaces.get() == 0) {
            refuse(Order.QUAD, Failure.BACKLOG_FULL);
        } else {
            if (listener.isPresent() && !failing.containsKey(Order.QUAD)) {
                place = BacklogPlace.HALF_OPEN;
            }
            ask(Order.QUAD);
        }
    }

    private void deleteQuadHash() {
        require(quad != Holding.NOTHING, "the quad hash entry was given back twice");
        require(quad != Holding.GIVEN_TO_QP, "the quad hash entry of a queue pair was deleted");
        require(quad != Holding.TIME_WAIT_ROW, "the quad hash entry was given back twice: TIME_WAIT has it");
        quad = Holding.NOTHING;
        place = BacklogPlace.NONE;
        waiting.remove(Order.QUAD);
    }

    private void transmit(Segment segment) {
        require(addressHandle == Holding.HELD, "a segment was sent without an address handle");
        require(!handedOver, "a segment was sent after hand-over");
        require(!segment.syn() || quad == Holding.HELD, "a SYN was sent before steering could catch its answer");
    }

    private void ask(Order order) {
        Failure why = failing.remove(order);
        if (why != null) {
            refuse(order, why);
        } else if (holding.contains(order)) {
            waiting.add(order);
        } else {
            succeed(order);
        }
    }

    private void succeed(Order order) {
        switch (order) {
            case AH -> {
                addressHandle = Holding.HELD;
                events.add(new NicEvent.AddressHandleReady(mtu));
            }
            case QUAD -> {
                quad = Holding.HELD;
                events.add(new NicEvent.SteeringInstalled());
            }
            case QP -> {
                quad = Holding.GIVEN_TO_QP;
                events.add(new NicEvent.QpEvent(AsyncEvent.of(AsyncEvent.Code.LLP_CONNECTION_ESTABLISHED)));
            }
        }
    }

    private void refuse(Order order, Failure why) {
        switch (order) {
            case AH -> {
                addressHandle = Holding.REFUSED;
                events.add(new NicEvent.AddressHandleFailed(why));
            }
            case QUAD -> {
                quad = Holding.REFUSED;
                place = BacklogPlace.NONE;
                events.add(new NicEvent.SteeringFailed(why));
            }
            case QP -> events.add(new NicEvent.ModifyQpFailed(why));
        }
    }

    private static void require(boolean fits, String otherwise) {
        if (!fits) {
            throw new Violation(otherwise);
        }
    }
}
