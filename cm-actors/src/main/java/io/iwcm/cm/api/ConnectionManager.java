package io.iwcm.cm.api;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.actor.AddressAnswer;
import io.iwcm.cm.actor.AddressChange;
import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.CmConsumer;
import io.iwcm.cm.actor.CmCounters;
import io.iwcm.cm.actor.CmGuardian;
import io.iwcm.cm.actor.CmOptions;
import io.iwcm.cm.actor.CmSnapshot;
import io.iwcm.cm.actor.ConnectAnswer;
import io.iwcm.cm.actor.ConnectOrder;
import io.iwcm.cm.actor.ListenAnswer;
import io.iwcm.cm.actor.ListenOrder;
import io.iwcm.cm.actor.NicInterface;
import io.iwcm.cm.cluster.Member;
import io.iwcm.cm.cluster.Roles;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.spi.NicControl;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.verbs.QpOptions;
import io.iwcm.nic.verbs.RdmaQueuePair;
import io.iwcm.nic.verbs.Verbs;
import io.iwcm.nic.wire.IpAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * A running connection manager on a NIC of its own. Safe from any thread; no method waits but {@link #start} and
 * {@link #close}.
 *
 * <pre>{@code
 * try (ConnectionManager cm = ConnectionManager.start("storage", config, nic, options)) {
 *     cm.listen(ListenOptions.on(endpoint), (connection, event) -> {
 *         if (event instanceof CmEvent.ConnectRequest) connection.accept();
 *     });
 *     Connection connection = cm.connect(ConnectOptions.to(peer)).toCompletableFuture().join().orElseThrow();
 * }
 * }</pre>
 *
 * <p>Handlers run, and stages complete, on virtual threads named {@code iwcm-application}: what hangs on them may block. A
 * stage that fails, fails with a {@link CmException}. Arguments that are not allowed are an
 * {@link IllegalArgumentException} with one sentence, at once and before anything is done.
 */
public final class ConnectionManager implements AutoCloseable {

    /** RFC 791 and RFC 8200. */
    private static final int MTU_MIN_V4 = 576;

    private static final int MTU_MIN_V6 = 1280;

    /** Where the code of applications runs: a handler that blocks holds up nobody but itself. */
    private static final Executor APPLICATIONS =
            task -> Thread.ofVirtual().name("iwcm-application").start(task);

    private final ActorSystem<Void> system;
    private final ActorRef<CmGuardian.Command> guardian;
    private final NicHost nic;
    private final CmCounters counters;
    private final Calls calls;
    private final Handlers handlers;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    private ConnectionManager(ActorSystem<Void> system, Started started, CmOptions options, CmCounters counters) {
        this.system = system;
        this.guardian = started.guardian();
        this.nic = started.nic();
        this.counters = counters;
        this.calls = Calls.of(
                system,
                APPLICATIONS,
                Duration.ofNanos(options.params().deadlines().mpa().acceptNs()));
        this.handlers = new Handlers(started.applications());
        started.applications().tell(new Applications.Open(handlers, APPLICATIONS, calls, counters));
    }

    private record Started(
            NicHost nic, ActorRef<CmGuardian.Command> guardian, ActorRef<CmConsumer.ToHandler> applications) {}

    /** The user's configuration over iwcm's defaults over those of the libraries, resolved. */
    public static Config configuration(Config user) {
        return user.withFallback(ConfigFactory.parseResourcesAnySyntax(
                        ConnectionManager.class.getClassLoader(), "iwcm-defaults"))
                .withFallback(ConfigFactory.defaultReferenceUnresolved())
                .resolve();
    }

    /**
     * Starts a connection manager.
     *
     * @param name of its actor system, for logs and thread names: letters, digits and dashes
     * @param config as {@link #configuration} makes it
     * @param nic makes the NIC, on the actor system it is given; it is closed with the connection manager. What it throws
     *     comes out here, and nothing stays behind
     * @param options how it is to work
     */
    public static ConnectionManager start(
            String name, Config config, Function<ActorSystem<?>, NicHost> nic, CmOptions options) {
        return start(name, config, nic, options, Optional.empty());
    }

    /**
     * Starts a connection manager that is a member of a cluster: what is asked of it may be done by any member, and it serves
     * the others.
     *
     * @param name of its actor system, the same on all members
     * @param config with {@code pekko.actor.provider = cluster}
     * @param nic makes the NIC; without the role of a bridge nobody uses it
     * @param roles what it does
     */
    public static ConnectionManager join(
            String name, Config config, Function<ActorSystem<?>, NicHost> nic, CmOptions options, Roles roles) {
        return start(name, config, nic, options, Optional.of(roles));
    }

    private static ConnectionManager start(
            String name,
            Config config,
            Function<ActorSystem<?>, NicHost> nic,
            CmOptions options,
            Optional<Roles> roles) {
        CmCounters counters = new CmCounters();
        CompletableFuture<Started> started = new CompletableFuture<>();
        Behavior<Void> root = Behaviors.setup(context -> {
            try {
                NicHost host = nic.apply(context.getSystem());
                started.complete(new Started(
                        host,
                        roles.map(as -> member(context, host, options, counters, as))
                                .orElseGet(() -> guardian(context, host, options, counters, true)),
                        context.spawn(Applications.create(), "applications")));
                return Behaviors.empty();
            } catch (RuntimeException e) {
                started.completeExceptionally(e);
                return Behaviors.stopped();
            }
        });
        ActorSystem<Void> system = ActorSystem.create(root, name, config);
        try {
            return new ConnectionManager(system, started.join(), options, counters);
        } catch (CompletionException e) {
            system.getWhenTerminated().toCompletableFuture().join();
            if (e.getCause() instanceof RuntimeException why) throw why;
            throw e;
        }
    }

    private static ActorRef<CmGuardian.Command> guardian(
            ActorContext<Void> context, NicHost host, CmOptions options, CmCounters counters, boolean withRoom) {
        return context.spawn(
                CmGuardian.create(host, options, counters, withRoom),
                "connection-manager",
                CmGuardian.props(context.getSystem(), options));
    }

    private static ActorRef<CmGuardian.Command> member(
            ActorContext<Void> context, NicHost host, CmOptions options, CmCounters counters, Roles roles) {
        Optional<ActorRef<CmGuardian.Command>> own =
                roles.bridge() ? Optional.of(guardian(context, host, options, counters, roles.cm())) : Optional.empty();
        ActorRef<Member.Message> member = context.spawn(Member.create(own, roles, options, counters), "member");
        return context.spawn(
                Behaviors.receiveMessage(command -> {
                    member.tell(new Member.Asked(command));
                    return Behaviors.same();
                }),
                "cluster");
    }

    /**
     * Connects.
     *
     * @param handler hears {@code ConnectReply} first, and what comes after; nothing when the result has no reply
     * @return completes exactly once, when the handler has returned from the reply; never fails
     * @throws IllegalArgumentException when the link's MTU is too small for the peer's address family
     */
    public CompletionStage<ConnectResult> connect(ConnectOptions options, ConnectionHandler handler) {
        return begin(options, handler).result();
    }

    /** {@link #connect(ConnectOptions, ConnectionHandler) Connects}, and can be given up while that lasts. */
    public ConnectAttempt begin(ConnectOptions options, ConnectionHandler handler) {
        Objects.requireNonNull(handler, "handler");
        ConnectOrder order = options.order();
        refuseSmallMtu(order.remote().address());
        CompletableFuture<ConnectResult> result = new CompletableFuture<>();
        CompletableFuture<Optional<CmConnection>> started = new CompletableFuture<>();
        ConnectionHandler both = (connection, event) -> {
            try {
                handler.onEvent(connection, event);
            } finally {
                if (event instanceof CmEvent.ConnectReply reply) result.complete(resultOf(connection, reply));
            }
        };
        CmConsumer.HandlerConsumer consumer = handlers.connecting(both);
        calls.<CmGuardian.Command, ConnectAnswer>ask(
                        guardian, replyTo -> new CmGuardian.Connect(order, consumer, replyTo))
                .exceptionally(_ -> new ConnectAnswer.Refused(Cause.SHUTDOWN))
                .thenAccept(answer -> {
                    switch (answer) {
                        case ConnectAnswer.Started(var connection) -> started.complete(Optional.of(connection));
                        case ConnectAnswer.Refused(Cause cause) -> {
                            handlers.forget(consumer);
                            result.complete(new ConnectResult.Failed(cause, Optional.empty()));
                            started.complete(Optional.empty());
                        }
                    }
                });
        return new ConnectAttempt(started, result, calls);
    }

    private void refuseSmallMtu(IpAddress remote) {
        int mtu = nic.link().mtu();
        int least = remote.isV4() ? MTU_MIN_V4 : MTU_MIN_V6;
        if (mtu >= least) return;
        throw new IllegalArgumentException("the MTU of " + nic.link().name() + " is " + mtu + ": at least " + least
                + " is needed to connect to " + remote);
    }

    /** Connects, and looks at no event. */
    public CompletionStage<ConnectResult> connect(ConnectOptions options) {
        return connect(options, ConnectionHandler.NONE);
    }

    private static ConnectResult resultOf(Connection connection, CmEvent.ConnectReply reply) {
        return reply.outcome() == Cause.NONE
                ? new ConnectResult.Connected(connection, reply)
                : new ConnectResult.Failed(reply.outcome(), Optional.of(reply));
    }

    /**
     * Listens.
     *
     * @param handler hears of every connection that comes by this listener
     * @return completes when SYNs can come; fails with {@link Cause#ADDRESS_IN_USE}, {@link Cause#ADDRESS_NOT_AVAILABLE},
     *     {@link Cause#RESOURCES} or {@link Cause#SHUTDOWN}, and then nothing is left of it
     */
    public CompletionStage<ListenHandle> listen(ListenOptions options, ConnectionHandler handler) {
        Objects.requireNonNull(handler, "handler");
        ListenOrder order = options.order();
        CmConsumer.HandlerConsumer consumer = handlers.listening(handler);
        return calls.<CmGuardian.Command, ListenAnswer>ask(
                        guardian, replyTo -> new CmGuardian.Listen(order, consumer, replyTo))
                .whenComplete((answer, lost) -> {
                    if (!(answer instanceof ListenAnswer.Listening)) handlers.forget(consumer);
                })
                .thenApply(answer -> switch (answer) {
                    case ListenAnswer.Listening(long id, var listener) ->
                        new ListenHandle(id, order.local(), listener, calls, () -> handlers.closed(consumer));
                    case ListenAnswer.Refused(var cause) ->
                        throw new CmException(cause, "cannot listen on " + order.local() + ": " + cause.phrase());
                });
    }

    /** Makes a queue pair for one connection, to be ended by whoever asked; fails with a {@link CmException}. */
    public CompletionStage<QpId> createQueuePair() {
        return calls.<CmGuardian.Command, NicControl.Answer>ask(guardian, CmGuardian.CreateQp::new)
                .thenApply(answer -> switch (answer) {
                    case NicControl.QpCreated(long _, var qp) -> qp;
                    case NicControl.Failed(long _, var why) ->
                        throw new CmException(Cause.RESOURCES, "the NIC has made no queue pair: " + why);
                    case NicControl.Done _, NicControl.FlowOpened _ ->
                        throw new CmException(Cause.RESOURCES, "the NIC has made no queue pair");
                });
    }

    /**
     * Makes a queue pair for one connection and takes it into use: receives can be posted before the connection is asked for
     * or accepted. Ended by {@link #destroyQueuePair}; fails with a {@link CmException} or a
     * {@link io.iwcm.nic.verbs.VerbsException}.
     */
    public CompletionStage<RdmaQueuePair> createQueuePair(QpOptions options) {
        Objects.requireNonNull(options, "options");
        return createQueuePair().thenCompose(qp -> verbs().open(qp, options));
    }

    /** Memory and queue pairs of its NIC, for applications in this process. */
    public Verbs verbs() {
        return nic.verbs();
    }

    /** Ends a queue pair; a connection that it still has is reset. Without such a queue pair: nothing happens. */
    public CompletionStage<Void> destroyQueuePair(QpId qp) {
        return calls.<CmGuardian.Command, NicControl.Answer>ask(
                        guardian, replyTo -> new CmGuardian.DestroyQp(qp, replyTo))
                .thenAccept(_ -> {});
    }

    /**
     * The NIC has this address from now on: wildcard listeners serve it. Known already: nothing happens. Like its three
     * fellows it completes when the NIC has carried it out, or fails with a {@link CmException}.
     */
    public CompletionStage<Void> addressUp(LocalAddress address) {
        return change(new AddressChange.AddressUp(address));
    }

    /**
     * The NIC has lost this address: its connections end with {@link Cause#LOCAL_DOWN}, listeners stay and serve it again
     * when it is back. Not there: nothing happens.
     */
    public CompletionStage<Void> addressDown(IpAddress address, int vlan) {
        return change(new AddressChange.AddressDown(address, vlan));
    }

    /** A VLAN, or the whole NIC, is up again with all its addresses. Up already: nothing happens. */
    public CompletionStage<Void> interfaceUp(NicInterface which) {
        return change(new AddressChange.InterfaceUp(which));
    }

    /** A VLAN, or the whole NIC, is down: as if each of its addresses were, until it is up again. */
    public CompletionStage<Void> interfaceDown(NicInterface which) {
        return change(new AddressChange.InterfaceDown(which));
    }

    private CompletionStage<Void> change(AddressChange change) {
        return calls.<CmGuardian.Command, AddressAnswer>ask(guardian, replyTo -> new CmGuardian.Change(change, replyTo))
                .thenAccept(answer -> {
                    if (answer instanceof AddressAnswer.Refused(Cause cause))
                        throw new CmException(cause, change + " could not be done: " + cause.phrase());
                });
    }

    /** How it stands: listeners, connections, counters; prints itself as a table. */
    public CompletionStage<CmSnapshot> snapshot() {
        return calls.<CmGuardian.Command, CmSnapshot>ask(guardian, CmGuardian.Snapshot::new);
    }

    /** What it has counted so far, under irdma's names; goes on counting, also after {@link #stop}. */
    public CmCounters counters() {
        return counters;
    }

    /** The NIC it runs on, for its counters and a look inside. */
    public NicHost nic() {
        return nic;
    }

    /** A connection of this manager that somebody else heard of, an observer for one. */
    public Connection connection(CmConnection known) {
        return new Connection(known, calls);
    }

    /** What it runs on, for what lives and ends with it; it ends last of all. */
    public ActorSystem<?> system() {
        return system;
    }

    /** The same as an actor, for those who would rather tell it: its protocol is {@link CmGuardian.Command}. */
    public ActorRef<CmGuardian.Command> actor() {
        return guardian;
    }

    /**
     * Stops in order: takes nothing new, stops listening, resets what is half open, closes what is open, resets what does not
     * close in time, then gives the NIC back. Again: the same stage.
     */
    public CompletionStage<Void> stop() {
        if (stopping.compareAndSet(false, true)) {
            calls.<CmGuardian.Command, CmGuardian.Stopped>ask(guardian, CmGuardian.Stop::new)
                    .whenComplete((_, _) -> Thread.ofVirtual().name("iwcm-stop").start(this::giveBack));
        }
        return stopped;
    }

    /** The stream of the NIC needs the actor system's threads to end in order, so this is not done on one of them. */
    private void giveBack() {
        try {
            nic.close();
        } finally {
            CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.actorSystemTerminateReason());
            system.getWhenTerminated().whenComplete((_, _) -> stopped.complete(null));
        }
    }

    /** {@link #stop}, and waits for it. */
    @Override
    public void close() {
        stop().toCompletableFuture().join();
    }
}
