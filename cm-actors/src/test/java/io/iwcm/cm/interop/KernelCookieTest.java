package io.iwcm.cm.interop;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.Events;
import io.iwcm.cm.api.ListenHandle;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.interop.KernelLab.Family;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.rnic.RnicConfig.CookieMode;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.steer.NicCounter;
import io.iwcm.nic.testkit.RequiresTap;
import io.iwcm.nic.testkit.RequiresTool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients of the kernel's TCP come to a listener that answers every SYN with a cookie. */
@RequiresTap
@RequiresTool({"ip", "python3"})
@Timeout(120)
class KernelCookieTest {

    private static final int PORT = 4420;
    private static final int CRC_ENHANCED = 0x50;

    private final KernelLab lab = new KernelLab(CookieMode.ALWAYS);
    private final KernelPeer peer = lab.peer();
    private final Events events = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    @ParameterizedTest
    @EnumSource
    void theKernelConnectsIsAcceptedAndCloses(Family family) {
        ListenHandle listener = within(lab.cm().listen(ListenOptions.on(family.ours(PORT)), events));
        peer.expect("connected", "connect", "c", family.ours(), PORT);
        peer.expect("sent", "send", "c", MpaHex.request(CRC_ENHANCED, 2, "00040003" + MpaHex.counting(508)));

        Events.Heard request = events.take();
        assertThat(request.event()).isInstanceOf(CmEvent.ConnectRequest.class);
        AcceptOptions accept = AcceptOptions.DEFAULT.depths(new ReadDepths(16, 8));
        assertThat(within(request.connection().accept(accept))).isEqualTo(Cause.NONE);
        peer.expect(MpaHex.reply(CRC_ENHANCED, 2, "00100004"), "receive", "c", MpaHex.HEADER + 4);
        events.take(CmEvent.Established.class);
        assertThat(lab.station().nic().count(NicCounter.COOKIES_ACCEPTED)).isEqualTo(1);
        assertThat(lab.station().nic().count(NicCounter.COOKIES_BAD)).isZero();

        peer.expect("done", "half-close", "c");
        events.take(CmEvent.Disconnected.class);
        events.take(CmEvent.Closed.class);
        peer.expect("FIN", "rest", "c");
        peer.expect("done", "close", "c");
        within(listener.close());
        lab.station().awaitNothingHeld();
    }
}
