package io.iwcm.cm.cluster;

import io.iwcm.cm.actor.AddressAnswer;
import io.iwcm.cm.actor.BridgeRelay;
import io.iwcm.cm.actor.CmConsumer;
import io.iwcm.cm.actor.CmCounters;
import io.iwcm.cm.actor.CmGuardian;
import io.iwcm.cm.actor.CmOptions;
import io.iwcm.cm.actor.RelayedConsumer;
import io.iwcm.cm.actor.Room;
import io.iwcm.cm.proto.Cause;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicEvent;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Subscribe;

/**
 * One member of the cluster: keeps a room for every bridge that is listed, says to its own bridge which members are out of
 * reach, and takes what the applications here ask of the connection manager.
 */
public final class Member extends AbstractBehavior<Member.Message> {

    /** What a member can be told. */
    public sealed interface Message {}

    /** What an application here asks; the same as of a connection manager that is alone. */
    public record Asked(CmGuardian.Command command) implements Message {}

    private record Listed(Set<ActorRef<CmGuardian.Command>> bridges) implements Message {}

    private record Lost(Address address) implements Message {}

    private record Back(Address address) implements Message {}

    private record ListenerEnded(ActorRef<SharedListener.Message> listener) implements Message {}

    private record RelayEnded(ActorRef<CmGuardian.Command> bridge) implements Message {}

    private record RoomEnded(ActorRef<CmGuardian.Command> bridge) implements Message {}

    private static final ServiceKey<CmGuardian.Command> BRIDGES =
            ServiceKey.create(CmGuardian.Command.class, "iwcm-bridges");

    private final Optional<ActorRef<CmGuardian.Command>> own;
    private final Roles roles;
    private final CmOptions options;
    private final CmCounters counters;
    private final Map<ActorRef<CmGuardian.Command>, ActorRef<Room.Command>> rooms = new LinkedHashMap<>();
    private final Map<ActorRef<CmGuardian.Command>, ActorRef<RelayedConsumer.Relayed>> relays = new LinkedHashMap<>();
    private final Map<ActorRef<SharedListener.Message>, CmConsumer> listeners = new LinkedHashMap<>();
    private List<ActorRef<CmGuardian.Command>> bridges = List.of();
    private Optional<CmGuardian.Stop> stopping = Optional.empty();
    private long lastRoom;

    private Member(
            ActorContext<Message> context,
            Optional<ActorRef<CmGuardian.Command>> own,
            Roles roles,
            CmOptions options,
            CmCounters counters) {
        super(context);
        this.own = own;
        this.roles = roles;
        this.options = options;
        this.counters = counters;
        ActorRef<Receptionist.Command> receptionist = context.getSystem().receptionist();
        receptionist.tell(Receptionist.subscribe(
                BRIDGES,
                context.messageAdapter(
                        Receptionist.Listing.class, listing -> new Listed(listing.getServiceInstances(BRIDGES)))));
        own.ifPresent(guardian -> receptionist.tell(Receptionist.register(BRIDGES, guardian)));
        Cluster cluster = Cluster.get(context.getSystem());
        cluster.subscriptions()
                .tell(Subscribe.create(
                        context.messageAdapter(ClusterEvent.ReachabilityEvent.class, Member::reachability),
                        ClusterEvent.ReachabilityEvent.class));
        cluster.subscriptions()
                .tell(Subscribe.create(
                        context.messageAdapter(
                                ClusterEvent.MemberRemoved.class,
                                removed -> new Lost(removed.member().address())),
                        ClusterEvent.MemberRemoved.class));
    }

    /** @param own the guardian of the bridge that this member has */
    public static Behavior<Message> create(
            Optional<ActorRef<CmGuardian.Command>> own, Roles roles, CmOptions options, CmCounters counters) {
        return Behaviors.setup(context -> new Member(context, own, roles, options, counters));
    }

    private static Message reachability(ClusterEvent.ReachabilityEvent event) {
        return event instanceof ClusterEvent.UnreachableMember
                ? new Lost(event.member().address())
                : new Back(event.member().address());
    }

    @Override
    public Receive<Message> createReceive() {
        return newReceiveBuilder()
                .onMessage(Asked.class, asked -> carryOut(asked.command()))
                .onMessage(Listed.class, this::list)
                .onMessage(Lost.class, lost -> {
                    own.ifPresent(guardian -> guardian.tell(new CmGuardian.MemberLost(lost.address())));
                    return this;
                })
                .onMessage(Back.class, back -> {
                    own.ifPresent(guardian -> guardian.tell(new CmGuardian.MemberBack(back.address())));
                    return this;
                })
                .onMessage(RoomEnded.class, this::forget)
                .onMessage(RelayEnded.class, ended -> {
                    relays.remove(ended.bridge());
                    return this;
                })
                .onMessage(ListenerEnded.class, ended -> {
                    listeners.remove(ended.listener());
                    return this;
                })
                .build();
    }

    private Behavior<Message> list(Listed listed) {
        bridges = listed.bridges().stream()
                .sorted(Comparator.comparing(
                        (ActorRef<CmGuardian.Command> bridge) -> bridge.path().toSerializationFormat()))
                .sorted(Comparator.comparing(bridge -> !own.equals(Optional.of(bridge)))) // Ours goes first.
                .toList();
        bridges.forEach(this::relay);
        if (roles.cm() && stopping.isEmpty()) bridges.forEach(this::enter);
        listeners.forEach((listener, consumer) -> listener.tell(new SharedListener.Bridges(with(consumer, inOrder()))));
        return this;
    }

    /** In an order that is the same everywhere: of two who listen on one endpoint the same one wins at every bridge. */
    private List<ActorRef<CmGuardian.Command>> inOrder() {
        return bridges.stream().sorted(Comparator.comparing(this::nameOf)).toList();
    }

    private String nameOf(ActorRef<CmGuardian.Command> bridge) {
        Address address = bridge.path().address();
        Address shown = address.hasLocalScope()
                ? Cluster.get(getContext().getSystem()).selfMember().address()
                : address;
        return shown + " " + bridge.path().toStringWithoutAddress();
    }

    /** Our own bridge goes with all that is here. */
    private void relay(ActorRef<CmGuardian.Command> bridge) {
        if (own.equals(Optional.of(bridge)) || relays.containsKey(bridge)) return;
        ActorRef<RelayedConsumer.Relayed> relay = getContext().spawnAnonymous(BridgeRelay.create(bridge));
        relays.put(bridge, relay);
        getContext().watchWith(relay, new RelayEnded(bridge));
    }

    /** The bridges in order, each with whom it tells in place of an application here. */
    private Map<ActorRef<CmGuardian.Command>, CmConsumer> with(
            CmConsumer application, List<ActorRef<CmGuardian.Command>> all) {
        Map<ActorRef<CmGuardian.Command>, CmConsumer> consumers = new LinkedHashMap<>();
        all.forEach(bridge -> consumers.put(bridge, at(bridge, application)));
        return consumers;
    }

    private CmConsumer at(ActorRef<CmGuardian.Command> bridge, CmConsumer application) {
        ActorRef<RelayedConsumer.Relayed> relay = relays.get(bridge);
        return relay == null ? application : BridgeRelay.by(relay, application);
    }

    private void enter(ActorRef<CmGuardian.Command> bridge) {
        if (own.equals(Optional.of(bridge)) || rooms.containsKey(bridge)) return; // Ours has its own room.
        ActorRef<Room.Command> room =
                getContext().spawn(Room.create(bridge, options, counters, Optional.empty()), "room-" + ++lastRoom);
        rooms.put(bridge, room);
        getContext().watchWith(room, new RoomEnded(bridge));
    }

    private Behavior<Message> forget(RoomEnded ended) {
        rooms.remove(ended.bridge());
        return stopping.isPresent() ? stopWhenLeft() : this;
    }

    private Behavior<Message> carryOut(CmGuardian.Command command) {
        switch (command) {
            case CmGuardian.Connect connect ->
                getContext().spawnAnonymous(BridgeSearch.create(connect, with(connect.consumer(), bridges)));
            case CmGuardian.Listen listen -> {
                ActorRef<SharedListener.Message> listener = getContext()
                        .spawnAnonymous(SharedListener.create(listen, own, with(listen.consumer(), inOrder())));
                listeners.put(listener, listen.consumer());
                getContext().watchWith(listener, new ListenerEnded(listener));
            }
            case CmGuardian.Snapshot snapshot ->
                getContext().spawnAnonymous(SnapshotMerge.create(bridges, counters, snapshot.replyTo()));
            case CmGuardian.Change change ->
                own.ifPresentOrElse(
                        guardian -> guardian.tell(change),
                        () -> change.replyTo().tell(new AddressAnswer.Refused(Cause.ADDRESS_NOT_AVAILABLE)));
            case CmGuardian.CreateQp create ->
                bridges.stream()
                        .findFirst()
                        .ifPresentOrElse(
                                guardian -> guardian.tell(create),
                                () -> create.replyTo().tell(new NicControl.Failed(0, NicEvent.Failure.RESOURCES)));
            case CmGuardian.DestroyQp destroy ->
                bridges.stream().findFirst().ifPresent(guardian -> guardian.tell(destroy));
            case CmGuardian.Stop stop -> {
                return stop(stop);
            }
            default -> {} // What bridges and rooms tell each other is not asked of a member.
        }
        return this;
    }

    /** What is others' bridges' goes to others; then our own bridge stops, if there is one. */
    private Behavior<Message> stop(CmGuardian.Stop stop) {
        stopping = Optional.of(stop);
        own.ifPresent(
                guardian -> getContext().getSystem().receptionist().tell(Receptionist.deregister(BRIDGES, guardian)));
        rooms.values()
                .forEach(room ->
                        room.tell(new Room.Leave(getContext().getSystem().ignoreRef())));
        return stopWhenLeft();
    }

    private Behavior<Message> stopWhenLeft() {
        if (!rooms.isEmpty()) return this;
        CmGuardian.Stop stop = stopping.orElseThrow();
        own.ifPresentOrElse(
                guardian -> guardian.tell(stop), () -> stop.replyTo().tell(new CmGuardian.Stopped()));
        return this;
    }
}
