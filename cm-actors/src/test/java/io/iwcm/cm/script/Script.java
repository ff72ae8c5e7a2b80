package io.iwcm.cm.script;

import io.iwcm.cm.proto.CmOutput;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.CmState;
import io.iwcm.cm.script.Statement.Line;
import java.util.List;

/** Plays scripts; {@code docs/script-language.md} says what can stand in one. */
public final class Script {

    private final Machine machine;

    private Script(Machine machine) {
        this.machine = machine;
    }

    /**
     * Plays a script against the connection machine, and then its end: a connection that is left over is told to shut down,
     * and must end with everything given back.
     *
     * @param parts put together in order; lines are counted through
     */
    public static void script(String... parts) {
        against(Machine.REAL).play(parts);
    }

    /** Scripts against another machine. */
    public static Script against(Machine machine) {
        return new Script(machine);
    }

    /**
     * As {@link #script}, and then once more for each step of the connection: there its dispatcher fails, and another goes on
     * from what the NIC has kept. The script must not notice.
     */
    public void play(String... parts) {
        Player player = player(0, parts);
        player.finish();
        int steps = machine == Machine.REAL ? player.stage().steps() : 0;
        for (int failAfter = 1; failAfter <= steps; failAfter++) {
            player(failAfter, parts).finish();
        }
    }

    /** Plays a script and leaves the connection where it stands, for tests that go on by themselves. */
    public Scene stop(String... parts) {
        Stage stage = player(0, parts).stage();
        return new Scene(
                (CmState) stage.node()
                        .orElseThrow(() -> new IllegalArgumentException("the script makes no connection"))
                        .state(),
                stage.nowNs(),
                stage.params(),
                stage.bases());
    }

    /** Plays a script that begins a connection, for a test that drives it on without saying what must come. */
    public Walk walk(String... parts) {
        return new Walk(player(0, parts).stage());
    }

    /**
     * Where a script has left a connection.
     *
     * @param state the node's state
     * @param nowNs the virtual time
     * @param params the parameters in force
     * @param bases where the sequence numbers count from
     */
    public record Scene(CmState state, long nowNs, CmParams params, Bases bases) {

        /** An output in the words of the language, seen from here. */
        public String describe(CmOutput output) {
            return OutputText.describe(output, bases, nowNs);
        }
    }

    private Player player(int failAfter, String... parts) {
        List<String> text = String.join("\n", parts).lines().toList();
        List<Line> lines = ScriptParser.parse(text);
        Player player = new Player(machine, text, failAfter);
        player.play(lines);
        return player;
    }
}
