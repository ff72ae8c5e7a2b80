package io.iwcm.nic.qp;

import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.memory.RegionTable;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.verbs.Completion;
import io.iwcm.nic.verbs.Completion.Kind;
import io.iwcm.nic.verbs.Completion.Status;
import io.iwcm.nic.verbs.WorkRequest;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * What a consumer has posted to one queue pair and is not completed. There from before the connection until after it: work
 * that comes too early waits, work that comes too late is flushed. Everything posted is completed once; the send queue and
 * the receive queue each in order.
 */
public final class WorkQueues {

    /** Work of the send queue that has been begun. */
    private static final class Begun {
        private final WorkRequest.Outgoing work;
        private Optional<Status> status = Optional.empty();

        Begun(WorkRequest.Outgoing work) {
            this.work = work;
        }
    }

    private final QpId id;
    private final ProtectionDomain domain;
    private final RegionTable regions;
    private final BiConsumer<Completion, Boolean> told;
    private final ArrayDeque<WorkRequest.Receive> receives = new ArrayDeque<>();
    private final ArrayDeque<WorkRequest.Outgoing> waiting = new ArrayDeque<>();
    private final ArrayDeque<Begun> begun = new ArrayDeque<>();
    /** The receive whose message is arriving. */
    private Optional<WorkRequest.Receive> open = Optional.empty();

    private boolean over;

    /**
     * Empty queues.
     *
     * @param domain whose regions the peer may reach
     * @param regions those of the NIC
     * @param told takes each completion and whether the consumer is to be told of it
     */
    public WorkQueues(QpId id, ProtectionDomain domain, RegionTable regions, BiConsumer<Completion, Boolean> told) {
        this.id = id;
        this.domain = domain;
        this.regions = regions;
        this.told = told;
    }

    /** Of a queue pair that nobody posts to. */
    public static WorkQueues unused(QpId id) {
        return new WorkQueues(id, new ProtectionDomain("nobody's"), new RegionTable(0, () -> 0), (_, _) -> {});
    }

    public ProtectionDomain domain() {
        return domain;
    }

    RegionTable regions() {
        return regions;
    }

    /** Takes work; what comes after the end is flushed. */
    public void post(WorkRequest work) {
        if (over) {
            switch (work) {
                case WorkRequest.Receive receive -> complete(receive, Status.FLUSHED, 0);
                case WorkRequest.Outgoing outgoing -> tell(outgoing, Status.FLUSHED);
            }
        } else {
            switch (work) {
                case WorkRequest.Receive receive -> receives.add(receive);
                case WorkRequest.Outgoing outgoing -> waiting.add(outgoing);
            }
        }
    }

    /** The next work of the send queue; {@link #begin} takes it. */
    Optional<WorkRequest.Outgoing> next() {
        return Optional.ofNullable(waiting.peek());
    }

    /** Takes the next work of the send queue up. */
    void begin() {
        begun.add(new Begun(waiting.remove()));
    }

    /** How work that was begun has ended; told when all before it is, or with the end. */
    void mark(WorkRequest.Outgoing work, Status status) {
        for (Begun one : begun) {
            if (one.work == work && one.status.isEmpty()) {
                one.status = Optional.of(status);
                break;
            }
        }
    }

    /** Work that was begun is done; it is told when all before it is. */
    void done(WorkRequest.Outgoing work, Status status) {
        mark(work, status);
        while (!begun.isEmpty() && begun.getFirst().status.isPresent()) {
            Begun first = begun.remove();
            tell(first.work, first.status.get());
        }
    }

    /** Whether there is nothing to send, nothing being sent and nothing awaited. */
    boolean idle() {
        return waiting.isEmpty() && begun.isEmpty();
    }

    /** Memory for the peer's next message, which is arriving from now on until its receive is completed. */
    Optional<WorkRequest.Receive> takeReceive() {
        open = Optional.ofNullable(receives.poll());
        return open;
    }

    void complete(WorkRequest.Receive receive, Status status, long length) {
        complete(receive, status, length, WorkRequest.Form.PLAIN);
    }

    void complete(WorkRequest.Receive receive, Status status, long length, WorkRequest.Form form) {
        open = Optional.empty();
        Completion completion =
                new Completion(id, receive.id(), Kind.RECEIVE, status, length, form.solicited(), form.invalidate());
        told.accept(completion, true);
    }

    /** The end: everything that is not completed is flushed, in order. Again: nothing happens. */
    public void flush() {
        over = true;
        while (!begun.isEmpty()) {
            Begun first = begun.remove();
            tell(first.work, first.status.orElse(Status.FLUSHED));
        }
        while (!waiting.isEmpty()) {
            tell(waiting.remove(), Status.FLUSHED);
        }
        open.ifPresent(receive -> complete(receive, Status.FLUSHED, 0));
        while (!receives.isEmpty()) {
            complete(receives.remove(), Status.FLUSHED, 0);
        }
    }

    private void tell(WorkRequest.Outgoing work, Status status) {
        long length = status == Status.SUCCESS && work instanceof WorkRequest.Read read
                ? read.into().length()
                : 0;
        Completion completion = new Completion(id, work.id(), kind(work), status, length, false, Optional.empty());
        told.accept(completion, work.signaled() || status != Status.SUCCESS);
    }

    private static Kind kind(WorkRequest.Outgoing work) {
        return switch (work) {
            case WorkRequest.Send _ -> Kind.SEND;
            case WorkRequest.Write _ -> Kind.WRITE;
            case WorkRequest.Read _ -> Kind.READ;
            case WorkRequest.Invalidate _ -> Kind.INVALIDATE;
        };
    }
}
