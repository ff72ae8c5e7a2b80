package io.iwcm.nic.qp;

import io.iwcm.nic.memory.Slice;
import io.iwcm.nic.memory.Slices;
import io.iwcm.nic.spi.Rtr;
import io.iwcm.nic.spi.TermCode;
import io.iwcm.nic.verbs.Completion.Status;
import io.iwcm.nic.verbs.WorkRequest;
import io.iwcm.nic.wire.Octets;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * RDMAP's and DDP's sending side of one connection: cuts messages into segments (RFC 5041 §5.1), in the order of the send
 * queue, with the answers to the peer's Reads in between, message by message. Makes an FPDU only when there is room for it,
 * so that nothing is buffered here.
 */
final class Outbound {

    /** What is next for the wire. */
    sealed interface Due {}

    /** Nothing that could go now. */
    enum Nothing implements Due {
        NOTHING
    }

    /**
     * An FPDU, which must be sent.
     *
     * @param endsAnswer it is the last of an answer to a Read of the peer
     */
    record Fpdu(Octets octets, boolean endsAnswer) implements Due {}

    /** Our own work cannot be done: the stream ends with this Terminate. */
    record Failed(TermCode code, DdpSegment terminate) implements Due {}

    /** The answer to a Read of the peer: {@code cause} is the Read Request, for the Terminate if its memory goes away. */
    record Answer(int stag, long offset, Slices source, Octets cause) {}

    /** The length of RDMAP's Read Request header (RFC 5040 §4.4). */
    static final int READ_REQUEST = 28;

    /** STag of our zero-length RTRs: any will do, but there are peers that refuse 0. */
    private static final int RTR_STAG = 1;

    /** A Read of ours whose answer is not complete. */
    static final class OpenRead {
        final int msn;
        final int stag;
        final long offset;
        final Slices into;
        /** Empty: the RTR. */
        final Optional<WorkRequest.Read> work;

        long received;

        private OpenRead(int msn, int stag, long offset, Slices into, Optional<WorkRequest.Read> work) {
            this.msn = msn;
            this.stag = stag;
            this.offset = offset;
            this.into = into;
            this.work = work;
        }
    }

    /** A message being cut into segments: tagged ones have a place of 0. */
    private static final class Message {
        private final int opcode;
        private final Optional<WorkRequest.Outgoing> work;
        private final Optional<Answer> answer;
        private final int stag;
        private final long offset;
        private final int msn;
        private final Slices source;
        private final long length;
        private long sent;

        private Message(WorkRequest.Outgoing work, int opcode, int stag, long offset, int msn, Slices source) {
            this.work = Optional.of(work);
            this.answer = Optional.empty();
            this.opcode = opcode;
            this.stag = stag;
            this.offset = offset;
            this.msn = msn;
            this.source = source;
            this.length = source.length();
        }

        private Message(Answer answer) {
            this.work = Optional.empty();
            this.answer = Optional.of(answer);
            this.opcode = DdpSegment.READ_RESPONSE;
            this.stag = answer.stag();
            this.offset = answer.offset();
            this.msn = 0;
            this.source = answer.source();
            this.length = source.length();
        }

        private boolean tagged() {
            return opcode == DdpSegment.WRITE || opcode == DdpSegment.READ_RESPONSE;
        }

        private Octets header(boolean last) {
            return tagged()
                    ? DdpSegment.taggedHeader(opcode, last, stag, offset + sent)
                    : DdpSegment.untaggedHeader(
                            opcode, last, stag, new DdpSegment.Place(DdpSegment.SEND_QUEUE, msn, (int) sent));
        }
    }

    private final FpduWriter writer;
    private final WorkQueues work;
    private final QpCounters counters;
    private final int ord;
    private final ArrayDeque<OpenRead> openReads = new ArrayDeque<>();
    private final ArrayDeque<Answer> answers = new ArrayDeque<>();
    private Optional<Message> current = Optional.empty();
    private boolean answersTurn;
    private boolean held;
    private int sends;
    private int reads;

    Outbound(FpduWriter writer, WorkQueues work, int ord, QpCounters counters) {
        this.writer = writer;
        this.work = work;
        this.ord = ord;
        this.counters = counters;
    }

    /** The initiator's RTR, first message of the stream (RFC 6581 §9.2). */
    Octets rtr(Rtr form) {
        return writer.frame(
                switch (form) {
                    case SEND ->
                        DdpSegment.untagged(DdpSegment.SEND, DdpSegment.SEND_QUEUE, ++sends, Octets.EMPTY)
                                .octets();
                    case WRITE ->
                        DdpSegment.tagged(DdpSegment.WRITE, RTR_STAG, 0, Octets.EMPTY)
                                .octets();
                    case READ -> {
                        OpenRead read = new OpenRead(++reads, RTR_STAG, 0, Slices.NONE, Optional.empty());
                        openReads.add(read);
                        yield readRequest(read, RTR_STAG, 0);
                    }
                });
    }

    /** Any segment out of the order of messages: a Terminate. */
    Octets frame(DdpSegment segment) {
        return writer.frame(segment.octets());
    }

    /** The peer's Read is answered after those before it. */
    void answer(Answer answer) {
        answers.add(answer);
    }

    /** Reads of the peer whose answer is not wholly sent. */
    int answersDue() {
        boolean underWay = current.filter(message -> message.answer.isPresent()).isPresent();
        return answers.size() + (underWay ? 1 : 0);
    }

    /** Our Read that the peer answers next. */
    Optional<OpenRead> openRead() {
        return Optional.ofNullable(openReads.peek());
    }

    /** The peer has answered it in full. */
    void readDone() {
        openReads.remove().work.ifPresent(read -> work.done(read, Status.SUCCESS));
    }

    /** The peer did not allow our Read of this number. */
    void readRefused(int msn) {
        openReads.stream()
                .filter(read -> read.msn == msn)
                .flatMap(read -> read.work.stream())
                .findFirst()
                .ifPresent(read -> work.mark(read, Status.REMOTE_ACCESS));
    }

    /** Whether an answer of the peer to work of ours is outstanding; the RTR is nobody's work. */
    boolean awaitsAnswer() {
        return openReads.stream().anyMatch(read -> read.work.isPresent());
    }

    /** Whether everything posted is sent and answered, and every Read of the peer. */
    boolean idle() {
        return current.isEmpty() && answers.isEmpty() && work.idle();
    }

    /** The end: nothing more is sent. */
    void stop() {
        current = Optional.empty();
        answers.clear();
        openReads.clear();
        work.flush();
    }

    /**
     * The next FPDU.
     *
     * @param room octets that it may have at most
     * @param maySend whether work of our own may go
     */
    Due due(int room, boolean maySend) {
        while (current.isEmpty()) {
            Optional<WorkRequest.Outgoing> next = maySend ? work.next() : Optional.empty();
            boolean answerNext = !answers.isEmpty() && (answersTurn || next.isEmpty() || waitsForDepth(next.get()));
            if (answerNext) {
                current = Optional.of(new Message(answers.remove()));
            } else if (next.isEmpty() || waitsForDepth(next.get())) {
                return Nothing.NOTHING;
            } else {
                Optional<Due> done = begin(next.get(), room);
                if (done.isPresent()) {
                    return done.get();
                }
            }
            answersTurn = !answerNext;
        }
        return segment(current.get(), room);
    }

    private boolean waitsForDepth(WorkRequest.Outgoing next) {
        boolean waits = next instanceof WorkRequest.Read && ord > 0 && openReads.size() >= ord;
        if (waits && !held) {
            counters.count(QpCounter.READS_HELD);
        }
        held = waits;
        return waits;
    }

    /** Takes work up; what there is to say at once, or nothing when it is a message of segments or has been done. */
    private Optional<Due> begin(WorkRequest.Outgoing next, int room) {
        switch (next) {
            case WorkRequest.Send send -> {
                work.begin();
                int opcode = opcode(send.form());
                int invalidates = send.form().invalidate().orElse(0);
                current = Optional.of(new Message(send, opcode, invalidates, 0, ++sends, send.from()));
            }
            case WorkRequest.Write write -> {
                work.begin();
                current = Optional.of(new Message(
                        write, DdpSegment.WRITE, write.to().stag(), write.to().offset(), 0, write.from()));
            }
            case WorkRequest.Read read -> {
                return Optional.of(request(read, room));
            }
            case WorkRequest.Invalidate invalidate -> {
                work.begin();
                work.regions().invalidate(invalidate.region());
                work.done(invalidate, Status.SUCCESS);
            }
        }
        return Optional.empty();
    }

    private static int opcode(WorkRequest.Form form) {
        if (form.invalidate().isPresent()) {
            return form.solicited() ? DdpSegment.SEND_SOLICITED_INVALIDATE : DdpSegment.SEND_INVALIDATE;
        }
        return form.solicited() ? DdpSegment.SEND_SOLICITED : DdpSegment.SEND;
    }

    /** The Read Request, which is one segment (RFC 5040 §4.4). */
    private Due request(WorkRequest.Read read, int room) {
        if (ord == 0) {
            work.begin();
            return failed(read, Status.NO_READ_DEPTH);
        }
        if (!read.into().usable()) {
            work.begin();
            return failed(read, Status.LOCAL_PROTECTION);
        }
        if (writer.wireLength(DdpSegment.UNTAGGED_HEADER + READ_REQUEST) > room) {
            return Nothing.NOTHING;
        }
        work.begin();
        Slice sink = read.into().parts().getFirst();
        long offset = sink.region().base() + sink.at();
        OpenRead open = new OpenRead(++reads, sink.region().stag(), offset, read.into(), Optional.of(read));
        openReads.add(open);
        Octets request = readRequest(open, read.from().stag(), read.from().offset());
        return new Fpdu(writer.frame(request), false);
    }

    private static Octets readRequest(OpenRead read, int sourceStag, long sourceOffset) {
        ByteBuffer request = ByteBuffer.allocate(READ_REQUEST)
                .putInt(read.stag)
                .putLong(read.offset)
                .putInt((int) read.into.length())
                .putInt(sourceStag)
                .putLong(sourceOffset);
        Octets payload = Octets.wrap(request.array());
        return DdpSegment.untagged(DdpSegment.READ_REQUEST, DdpSegment.READ_REQUEST_QUEUE, read.msn, payload)
                .octets();
    }

    private Due segment(Message message, int room) {
        int headerLength = message.tagged() ? DdpSegment.TAGGED_HEADER : DdpSegment.UNTAGGED_HEADER;
        int count = (int) Math.min(writer.mulpdu() - headerLength, message.length - message.sent);
        if (writer.wireLength(headerLength + count) > room) {
            return Nothing.NOTHING;
        }
        if (!message.source.usable()) {
            return failed(message);
        }
        boolean last = message.sent + count == message.length;
        Octets fpdu = writer.frame(message.header(last), message.source, message.sent, count);
        message.sent += count;
        if (last) {
            current = Optional.empty();
            message.work.ifPresent(done -> work.done(done, Status.SUCCESS));
            message.answer.ifPresent(_ -> counters.count(QpCounter.ANSWERED_READS));
        }
        return new Fpdu(fpdu, last && message.answer.isPresent());
    }

    /** Memory of a message has been deregistered, or invalidated, under it. */
    private Due failed(Message message) {
        if (message.work.isPresent()) {
            return failed(message.work.get(), Status.LOCAL_PROTECTION);
        }
        counters.count(QpCounter.REFUSED_STAG);
        DdpSegment cause = new DdpSegment(message.answer.get().cause());
        return new Failed(Terminate.READ_INVALID_STAG, Terminate.of(Terminate.READ_INVALID_STAG, cause));
    }

    private Due failed(WorkRequest.Outgoing outgoing, Status status) {
        counters.count(QpCounter.LOCAL_FAILURES);
        work.mark(outgoing, status);
        return new Failed(Terminate.RDMAP_LOCAL, Terminate.of(Terminate.RDMAP_LOCAL));
    }
}
