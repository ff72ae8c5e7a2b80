package io.iwcm.cm.script;

import io.iwcm.cm.proto.CmInput;
import io.iwcm.cm.proto.CmState;
import io.iwcm.cm.proto.TimerKey;
import io.iwcm.nic.spi.NicEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * A connection that a script has begun and a test drives on, input by input. Nothing has to be claimed, but the rules of the
 * play hold: what is taken from the NIC is given back, calls are answered once, the application is told the right things.
 */
public final class Walk {

    private final Stage stage;

    Walk(Stage stage) {
        this.stage = stage;
        stage.tearDown();
    }

    public CmState state() {
        return (CmState) stage.node().orElseThrow().state();
    }

    public boolean alive() {
        return stage.alive();
    }

    public Bases bases() {
        return stage.bases();
    }

    public List<String> trace() {
        return stage.trace();
    }

    public void feed(CmInput input) {
        stage.note("<- " + input);
        stage.feed(input);
    }

    /** An application call; its answer is watched. */
    public void call(LongFunction<CmInput> call) {
        stage.note("<- call");
        stage.call(call::apply);
    }

    public void says(NicEvent event) {
        stage.nic().say(event);
        stage.hearNic();
    }

    /** An order to the fake NIC in the words that follow {@code nic} in a script. */
    public void nic(String words) {
        stage.note("nic " + words);
        NicText.parse(Words.of(1, words, Map.of())).accept(stage.nic());
        stage.hearNic();
    }

    public void staleTick(TimerKey key) {
        stage.staleTick(key);
    }

    /** Moves on to the next timer and fires it; false without any. */
    public boolean tick() {
        Optional<Long> next = stage.nextTimerNs();
        if (next.isEmpty()) {
            return false;
        }
        stage.moveTo(Math.max(stage.nowNs(), next.get()));
        stage.fire();
        return true;
    }

    /** Lets time pass, but not beyond the next timer. */
    public void pass(long ns) {
        long latest = stage.nextTimerNs().orElse(Long.MAX_VALUE);
        stage.moveTo(Math.max(stage.nowNs(), Math.min(stage.nowNs() + ns, latest)));
    }
}
