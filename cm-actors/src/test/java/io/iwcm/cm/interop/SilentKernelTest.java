package io.iwcm.cm.interop;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.ConnectOptions;
import io.iwcm.cm.api.ConnectResult;
import io.iwcm.cm.api.Events;
import io.iwcm.cm.api.ListenHandle;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.interop.KernelLab.Family;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmCounter;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.CmParams.Deadlines;
import io.iwcm.cm.proto.CmParams.MpaDeadlines;
import io.iwcm.nic.testkit.RequiresTap;
import io.iwcm.nic.testkit.RequiresTool;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kernel's TCP stands, and whoever sits behind it does not go on. Each test shortens the one deadline it waits for. */
@RequiresTap
@RequiresTool({"ip", "python3"})
@Timeout(120)
class SilentKernelTest {

    private static final long SHORT_NS = Duration.ofSeconds(1).toNanos();

    private final Events events = new Events();

    @ParameterizedTest
    @EnumSource
    void givesUpOnAServerThatDoesNotReply(Family family) {
        try (KernelLab lab = lab(old -> deadlines(old, old.mpa().requestNs(), SHORT_NS, old.closeNs()))) {
            String port = lab.peer().ask("listen", "l", family.kernels());
            CompletionStage<ConnectResult> connecting = lab.cm().connect(request(family, port), events);
            lab.peer().expect(family.ours(), "accept", "c", "l");

            assertThat(((ConnectResult.Failed) within(connecting)).cause()).isEqualTo(Cause.TIMEOUT_MPA);
            lab.peer().expect(MpaHex.request(0x40, 1, "") + " ECONNRESET", "rest", "c");
            lab.station().awaitNothingHeld();
            assertThat(lab.cm().counters().value(CmCounter.MPA_TIMEOUTS)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void givesUpOnAClientThatDoesNotAsk(Family family) {
        try (KernelLab lab = lab(old -> deadlines(old, SHORT_NS, old.mpa().replyNs(), old.closeNs()))) {
            ListenHandle listener = within(lab.cm().listen(ListenOptions.on(family.ours(4420)), events));
            lab.peer().expect("connected", "connect", "c", family.ours(), 4420);

            lab.peer().expect("ECONNRESET", "rest", "c");
            within(listener.close());
            lab.station().awaitNothingHeld();
            assertThat(events.all()).isEmpty();
            assertThat(lab.cm().counters().value(CmCounter.MPA_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void endsWhatAServerLeavesOpenAfterItsRejection() {
        Family family = Family.V6;
        try (KernelLab lab =
                lab(old -> deadlines(old, old.mpa().requestNs(), old.mpa().replyNs(), SHORT_NS))) {
            String port = lab.peer().ask("listen", "l", family.kernels());
            CompletionStage<ConnectResult> connecting = lab.cm().connect(request(family, port), events);
            lab.peer().expect(family.ours(), "accept", "c", "l");
            lab.peer().expect("sent", "send", "c", MpaHex.reply(0x20, 1, ""));

            assertThat(((ConnectResult.Failed) within(connecting)).cause()).isEqualTo(Cause.REJECTED_ULP);
            String heard = lab.peer().ask("rest", "c");
            assertThat(heard).isIn(MpaHex.request(0x40, 1, "") + " FIN", MpaHex.request(0x40, 1, "") + " ECONNRESET");
            lab.station().awaitNothingHeld();
        }
    }

    private static ConnectOptions request(Family family, String port) {
        return ConnectOptions.to(family.kernels(port)).revision1();
    }

    private static KernelLab lab(UnaryOperator<Deadlines> change) {
        return new KernelLab(
                usual -> new CmParams(
                        usual.tcp(), change.apply(usual.deadlines()), usual.mpa(), usual.compat(), usual.isn()),
                UnaryOperator.identity());
    }

    private static Deadlines deadlines(Deadlines old, long mpaRequestNs, long mpaReplyNs, long closeNs) {
        return new Deadlines(
                old.addressNs(),
                old.synNs(),
                old.synRcvdNs(),
                new MpaDeadlines(
                        mpaRequestNs,
                        mpaReplyNs,
                        old.mpa().decisionNs(),
                        old.mpa().acceptNs(),
                        old.mpa().rtrNs()),
                closeNs);
    }
}
