package io.iwcm.nic.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iwcm.nic.memory.ProtectionDomain;
import io.iwcm.nic.memory.Slices;
import io.iwcm.nic.spi.QpId;
import io.iwcm.nic.verbs.Completion.Kind;
import io.iwcm.nic.verbs.Completion.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The queues between an application and its NIC: bounded, told so at once, and without a lost completion. */
class QueueLimitsTest {

    private static final QpId QP = new QpId(1);

    private final ArrayDeque<VerbsOrder> ordered = new ArrayDeque<>();
    private final CompletionQueue done = new CompletionQueue(3);
    private final Verbs verbs = new Verbs(ordered::add);

    private RdmaQueuePair opened(int sendDepth, int receiveDepth) {
        var opening = verbs.open(QP, QpOptions.of(new ProtectionDomain("ours"), done, sendDepth, receiveDepth));
        ((VerbsOrder.Open) ordered.remove()).answer().accept(true);
        return opening.toCompletableFuture().join();
    }

    private static WorkRequest.Send send(long id, boolean signaled) {
        return new WorkRequest.Send(id, Slices.NONE, WorkRequest.Form.PLAIN, signaled);
    }

    /** The NIC does the oldest order. */
    private void carryOut(Status status) {
        VerbsOrder.Post post = (VerbsOrder.Post) ordered.remove();
        boolean told = !(post.work() instanceof WorkRequest.Outgoing work) || work.signaled();
        Kind kind = post.work() instanceof WorkRequest.Receive ? Kind.RECEIVE : Kind.SEND;
        post.consumer().completed(new Completion(QP, post.work().id(), kind, status, 0, false, Optional.empty()), told);
    }

    @Test
    void aPlaceIsTakenUntilTheCompletionIs() {
        RdmaQueuePair pair = opened(2, 1);
        assertThat(pair.post(send(1, true))).isEqualTo(PostResult.POSTED);
        assertThat(pair.post(send(2, true))).isEqualTo(PostResult.POSTED);
        assertThat(pair.post(send(3, true))).isEqualTo(PostResult.QUEUE_FULL);
        assertThat(pair.post(new WorkRequest.Receive(4, Slices.NONE)))
                .as("another queue")
                .isEqualTo(PostResult.POSTED);
        carryOut(Status.SUCCESS);
        assertThat(pair.post(send(5, true))).as("done, and not taken").isEqualTo(PostResult.QUEUE_FULL);
        assertThat(done.poll()).map(Completion::id).contains(1L);
        assertThat(pair.post(send(6, true))).isEqualTo(PostResult.POSTED);
    }

    @Test
    void whatIsNotToldFreesItsPlaceByItself() {
        RdmaQueuePair pair = opened(1, 1);
        assertThat(pair.post(send(1, false))).isEqualTo(PostResult.POSTED);
        carryOut(Status.SUCCESS);
        assertThat(done.poll()).isEmpty();
        assertThat(pair.post(send(2, false))).isEqualTo(PostResult.POSTED);
    }

    @Test
    void aQueuePairThatTheCompletionQueueCannotHoldIsRefused() {
        opened(1, 1);
        QpOptions more = QpOptions.of(new ProtectionDomain("ours"), done, 1, 1);
        assertThatThrownBy(() -> verbs.open(QP, more).toCompletableFuture().join())
                .hasCauseInstanceOf(VerbsException.class);
        assertThat(ordered).as("nothing is asked of the NIC").isEmpty();
    }

    @Test
    void aClosedNicIsSaidAndHoldsNoPlace() {
        RdmaQueuePair pair = new RdmaQueuePair(
                QP, QpOptions.of(new ProtectionDomain("ours"), done, 1, 1), _ -> false, Runnable::run);
        assertThat(pair.post(send(1, true))).isEqualTo(PostResult.CLOSED);
        assertThat(pair.post(send(2, true))).isEqualTo(PostResult.CLOSED);
    }

    @Test
    void theBellRingsOnceAndAtOnceWhenThereIsSomething() {
        RdmaQueuePair pair = opened(2, 1);
        List<String> rung = new ArrayList<>();
        done.ring(Runnable::run, () -> rung.add("first"), false);
        assertThat(pair.post(send(1, true))).isEqualTo(PostResult.POSTED);
        assertThat(pair.post(send(2, true))).isEqualTo(PostResult.POSTED);
        carryOut(Status.SUCCESS);
        carryOut(Status.SUCCESS);
        assertThat(rung).containsExactly("first");
        done.ring(Runnable::run, () -> rung.add("again"), false);
        assertThat(rung).containsExactly("first", "again");
    }

    @Test
    void whoWaitsForSolicitedOnesIsWokenByThemAndByErrors() {
        RdmaQueuePair pair = opened(2, 1);
        List<String> rung = new ArrayList<>();
        done.ring(Runnable::run, () -> rung.add("rung"), true);
        assertThat(pair.post(send(1, true))).isEqualTo(PostResult.POSTED);
        carryOut(Status.SUCCESS);
        assertThat(rung).isEmpty();
        assertThat(pair.post(send(2, true))).isEqualTo(PostResult.POSTED);
        carryOut(Status.FLUSHED);
        assertThat(rung).containsExactly("rung");
    }
}
