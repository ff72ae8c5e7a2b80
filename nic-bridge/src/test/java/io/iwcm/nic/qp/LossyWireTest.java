package io.iwcm.nic.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.nic.spi.AsyncEvent.Code;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two queue pairs over a bad wire: the reply arrives once and both close cleanly, or both end in bounded time. */
class LossyWireTest {

    private static final long SECOND = 1000 * Scene.MS;

    /** {@code -Dsim.seed=N} replays one, {@code -Dsim.seeds=N} runs as many. */
    static LongStream seeds() {
        Long one = Long.getLong("sim.seed");
        return one == null ? LongStream.range(0, Integer.getInteger("sim.seeds", 200)) : LongStream.of(one);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void settlesAndClosesOnceTheWireHeals(long seed) {
        QpSimulation sim = badWire(seed);
        sim.responder.takeOver();
        sim.runUntil(5 * SECOND);
        heal(sim);
        sim.runUntil(300 * SECOND);

        assertThat(sim.initiator.reply).as(sim::trace).isEqualTo(sim.responder.setup.lsmm);
        assertThat(sim.initiator.count(Code.LLP_CONNECTION_ESTABLISHED))
                .as(sim::trace)
                .isEqualTo(1);
        assertThat(sim.responder.events.stream()
                        .map(event -> event.code())
                        .filter(c -> c != Code.LLP_DOUBT_REACHABILITY))
                .as(sim::trace)
                .containsExactly(Code.LLP_CONNECTION_ESTABLISHED, Code.LSMM_ACKNOWLEDGED, Code.RTR_RECEIVED);

        spoil(sim);
        int who = sim.draw(3);
        if (who != 1) {
            sim.close(sim.initiator);
        }
        if (who != 0) {
            sim.close(sim.responder);
        }
        sim.runUntil(nowAnd(sim, 5));
        heal(sim);
        sim.runUntil(nowAnd(sim, 55));

        for (QpSimulation.End end : new QpSimulation.End[] {sim.initiator, sim.responder}) {
            assertThat(end.count(Code.LLP_CLOSE_COMPLETE)).as(sim::trace).isEqualTo(1);
            assertThat(end.count(Code.LLP_FIN_RECEIVED)).as(sim::trace).isEqualTo(1);
            assertThat(end.ended).as(sim::trace).isTrue();
            assertThat(end.events.stream().map(event -> event.code()))
                    .as(sim::trace)
                    .doesNotContain(
                            Code.RESET_SENT,
                            Code.LLP_CONNECTION_RESET,
                            Code.LLP_TOO_MANY_RETRIES,
                            Code.MPA_CRC_ERROR,
                            Code.MPA_MARKER_ERROR,
                            Code.BAD_CLOSE);
        }
        assertThat(sim.initiator.timeWait.isPresent()).as(sim::trace).isEqualTo(who != 1);
        assertThat(sim.responder.timeWait.isPresent()).as(sim::trace).isEqualTo(who != 0);
        sim.runUntil(nowAnd(sim, 600));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void endsInBoundedTimeWhenTheWireDies(long seed) {
        QpSimulation sim = badWire(seed);
        sim.responder.takeOver();
        sim.runUntil(sim.draw(3000) * Scene.MS);
        int who = sim.draw(4);
        if ((who & 1) != 0) {
            sim.close(sim.initiator);
        }
        if ((who & 2) != 0) {
            sim.close(sim.responder);
        }
        sim.runUntil(nowAnd(sim, 0) + sim.draw(300) * Scene.MS);
        sim.lossPercent = 100;
        sim.runUntil(nowAnd(sim, 1));
        sim.close(sim.initiator);
        sim.close(sim.responder);
        sim.runUntil(nowAnd(sim, 125));

        assertThat(sim.responder.ended).as(sim::trace).isTrue();
        assertThat(sim.initiator.ended || sim.initiator.qp.isEmpty())
                .as(sim::trace)
                .isTrue();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anAbortEndsBothWhenTheWireIsGood(long seed) {
        QpSimulation sim = badWire(seed);
        sim.responder.takeOver();
        sim.runUntil(5 * SECOND);
        heal(sim);
        sim.runUntil(300 * SECOND);
        sim.responder.qp.orElseThrow().abort(sim.nowNs, sim.responder);
        sim.runUntil(nowAnd(sim, 1));

        assertThat(sim.responder.count(Code.RESET_SENT)).as(sim::trace).isEqualTo(1);
        assertThat(sim.initiator.count(Code.LLP_CONNECTION_RESET))
                .as(sim::trace)
                .isEqualTo(1);
        assertThat(sim.initiator.ended).as(sim::trace).isTrue();
    }

    private static QpSimulation badWire(long seed) {
        QpSimulation sim = new QpSimulation(seed);
        spoil(sim);
        return sim;
    }

    private static void spoil(QpSimulation sim) {
        sim.lossPercent = 5 + sim.draw(35);
        sim.repeatPercent = sim.draw(30);
        sim.delayMsMax = 1 + sim.draw(60);
    }

    private static void heal(QpSimulation sim) {
        sim.lossPercent = 0;
        sim.repeatPercent = 0;
        sim.delayMsMax = 1;
    }

    private static long nowAnd(QpSimulation sim, long seconds) {
        return sim.nowNs + seconds * SECOND;
    }
}
