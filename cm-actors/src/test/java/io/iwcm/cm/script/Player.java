package io.iwcm.cm.script;

import io.iwcm.cm.proto.AdmitSpec;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CompletedSpec;
import io.iwcm.cm.proto.ConnectSpec;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.script.Stage.Pending;
import io.iwcm.cm.script.Statement.Line;
import io.iwcm.nic.spi.NicCommand.ListenKey;
import io.iwcm.nic.spi.NicCommand.Path;
import io.iwcm.nic.spi.Rnic.SynCompleted;
import io.iwcm.nic.spi.SynOffer;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.Segment;
import io.iwcm.nic.wire.TcpOptions;
import java.util.List;
import java.util.Optional;

/** Plays lines against a stage. What the machine puts out must be claimed before time moves on or another input is given. */
final class Player {

    private static final int REMOTE_PORT_OF_PEER = 40_001;
    private static final int LOCAL_PORT_OF_CONNECT = 40_000;
    private static final int REMOTE_PORT_OF_CONNECT = 4_420;

    /** Longer than any deadline or retransmission of a sane machine. */
    private static final long FOR_EVER_NS = 100 * 3_600 * Durations.SECOND;

    private final List<String> text;
    private final Stage stage;
    private int line;
    private int port;
    private boolean cookies;

    Player(Machine machine, List<String> text, int failAfter) {
        this.text = text;
        stage = new Stage(machine, failAfter);
    }

    Stage stage() {
        return stage;
    }

    void play(List<Line> lines) {
        for (Line next : lines) {
            line = next.number();
            stage.line(line);
            guarded(() -> {
                advance(next.advanceNs());
                play(next.statement());
            });
        }
    }

    /** The end of the script: nothing is left over, and a connection that is still there ends when it is told to. */
    void finish() {
        guarded(() -> requireClaimed("the script ends"));
        if (!stage.alive()) {
            return;
        }
        stage.note("end of the script: shutdown");
        stage.tearDown();
        guarded(() -> {
            stage.feed(new CmInput.Shutdown());
            long giveUpNs = stage.nowNs() + FOR_EVER_NS;
            while (stage.alive()
                    && stage.nextTimerNs().filter(at -> at < giveUpNs).isPresent()) {
                stage.moveTo(Math.max(stage.nowNs(), stage.nextTimerNs().get()));
                stage.fire();
            }
            if (stage.alive()) {
                throw failure("after the script the connection was told to shut down, but it never ends: it stays "
                        + stage.node().get().name());
            }
        });
    }

    private void play(Statement statement) {
        switch (statement) {
            case Statement.PeerSends(SegmentText segment) -> peerSends(segment);
            case Statement.Expect(Expectation expectation) -> expect(expectation);
            case Statement.Call(var make, Optional<Cause> wanted) -> call(make, wanted);
            case Statement.Connect(var qp, var wish, boolean fallBack, var synTimeout) -> {
                before("connect");
                FlowKey flow = stage.settings().flow(LOCAL_PORT_OF_CONNECT, REMOTE_PORT_OF_CONNECT);
                stage.connect(new ConnectSpec(flow, qp, Path.DEFAULT, wish, fallBack, synTimeout));
            }
            case Statement.Listen(int listenPort, int backlog, boolean withCookies) -> {
                port = listenPort;
                cookies = withCookies;
                stage.nic().listen(backlog);
            }
            case Statement.ListenerGone _ -> {
                before("listener-gone");
                stage.nic().unlisten();
                if (stage.alive()) {
                    stage.feed(new CmInput.ListenerGone());
                }
            }
            case Statement.Happens(CmInput input) -> {
                before(text.get(line - 1).strip());
                stage.feed(input);
            }
            case Statement.StaleTick(var key) -> {
                before("stale-tick");
                stage.staleTick(key);
            }
            case Statement.Reports(var event) -> {
                before("ae");
                stage.nic().say(new io.iwcm.nic.spi.NicEvent.QpEvent(event));
                stage.hearNic();
            }
            case Statement.IcmpSays(var error) -> {
                before("icmp");
                stage.nic().say(error.apply(stage.bases()));
                stage.hearNic();
            }
            case Statement.NicOrder(var order) -> {
                before("nic");
                order.accept(stage.nic());
                stage.hearNic();
            }
            case Statement.Set(var change) -> change.on(stage.settings(), stage.nowNs());
            case Statement.StateIs(StateName name) -> stateIs(name);
            case Statement.Ends _ -> ends();
            case Statement.Quiet _ -> requireClaimed("here");
            case Statement.HoldsNothing _ ->
                require(
                        stage.nic().held().isEmpty(),
                        "the connection should hold nothing of the NIC but holds "
                                + String.join(", ", stage.nic().held()));
            case Statement.CountIs(var counter, int value) ->
                require(
                        stage.counter(counter) == value,
                        counter.label() + " should be " + value + " but is " + stage.counter(counter));
        }
    }

    /** Moves time on; timers that fall due on the way fire in order. */
    private void advance(long spanNs) {
        long targetNs = stage.nowNs() + spanNs;
        for (Optional<Long> next = due(targetNs); next.isPresent(); next = due(targetNs)) {
            if (next.get() > stage.nowNs()) {
                requireClaimed("time moves on");
                stage.moveTo(next.get());
            }
            stage.fire();
        }
        if (targetNs > stage.nowNs()) {
            requireClaimed("time moves on");
            stage.moveTo(targetNs);
        }
    }

    private Optional<Long> due(long targetNs) {
        return stage.nextTimerNs().filter(at -> at <= targetNs);
    }

    private void peerSends(SegmentText shorthand) {
        before("<");
        Segment segment = shorthand.segment(stage.bases());
        stage.note("< " + SegmentText.text(segment, stage.bases(), SegmentText.From.PEER));
        boolean pureSyn = segment.syn() && !segment.hasAck() && !segment.rst() && !segment.fin();
        if (stage.alive()) {
            stage.feed(new CmInput.Arrived(segment));
        } else if (pureSyn && !cookies && stage.nic().listening()) {
            FlowKey flow = stage.settings().flow(port, REMOTE_PORT_OF_PEER);
            stage.admit(new AdmitSpec(
                    flow, segment, ListenKey.of(flow), Path.DEFAULT, stage.nic().takeTimeWait()));
        } else if (cookies
                && segment.hasAck()
                && !segment.syn()
                && !segment.rst()
                && stage.nic().listening()) {
            stage.complete(completed(segment));
        } else {
            stage.note("   (no connection and no listener for it: dropped)");
        }
    }

    /** The NIC has checked the cookie; the peer's SYN said what that of {@code Openings} says. */
    private CompletedSpec completed(Segment ack) {
        FlowKey flow = stage.settings().flow(port, REMOTE_PORT_OF_PEER);
        SynCompleted said = new SynCompleted(
                stage.bases().peer(), stage.bases().our(), TcpOptions.ofSyn(1460, 7), SynOffer.DEFAULT);
        return new CompletedSpec(flow, ack, ListenKey.of(flow), Path.DEFAULT, said);
    }

    private void call(Statement.CallMaker make, Optional<Cause> wanted) {
        before("a call");
        stage.note(text.get(line - 1).strip());
        Optional<Cause> answer = stage.call(make);
        require(
                answer.equals(wanted),
                "the call should be answered with " + answerText(wanted) + " but was answered with "
                        + answerText(answer));
    }

    private static String answerText(Optional<Cause> answer) {
        return answer.map(EventText::causeText).orElse("pending (not yet)");
    }

    private void expect(Expectation expectation) {
        Facts wanted = expectation.in(stage.bases());
        Pending came = stage.pending().poll();
        if (came == null) {
            throw failure("expected\n  " + OutputText.text(wanted) + "\nbut nothing came");
        }
        Optional<String> difference = wanted.difference(came.facts());
        if (difference.isPresent()) {
            throw failure("expected\n  " + OutputText.text(wanted) + "\nbut the machine did\n  "
                    + OutputText.text(came.facts()) + "\n\n  " + difference.get());
        }
    }

    private void stateIs(StateName name) {
        String is = stage.node().map(state -> state.name().name()).orElse("no connection");
        require(is.equals(name.name()), "the state should be " + name + " but is " + is);
    }

    private void ends() {
        requireClaimed("the connection ends");
        require(stage.node().isPresent(), "there is no connection that could end");
        require(
                !stage.alive(),
                "the connection should have ended but is in "
                        + stage.node().get().name());
    }

    private void before(String input) {
        requireClaimed("the next input: " + input);
    }

    private void requireClaimed(String before) {
        Pending left = stage.pending().peek();
        if (left != null) {
            throw failure("nothing claims what came in line " + left.line() + ", before " + before + ":\n  "
                    + OutputText.text(left.facts()));
        }
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw failure(otherwise);
        }
    }

    private void guarded(Runnable doing) {
        try {
            doing.run();
        } catch (Stage.Broken | FakeNic.Violation broken) {
            throw failure(broken.getMessage());
        } catch (ScriptFailure failure) {
            throw failure;
        } catch (RuntimeException thrown) {
            ScriptFailure failure = failure("the machine threw " + thrown);
            failure.initCause(thrown);
            throw failure;
        }
    }

    private ScriptFailure failure(String problem) {
        return new ScriptFailure(text, line, problem, stage.trace());
    }
}
