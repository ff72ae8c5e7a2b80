package io.iwcm.cm.interop;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.Events;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.interop.KernelLab.Family;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.link.Link;
import io.iwcm.nic.link.LinkEvent;
import io.iwcm.nic.testkit.RequiresRoot;
import io.iwcm.nic.testkit.RequiresTool;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The kernel's TCP at the other end of a virtual cable, which leaves checksums to a card, and we on a packet socket at ours.
 */
@RequiresRoot
@RequiresTool({"ip", "python3"})
@Timeout(120)
class PacketAndKernelTest {

    private static final int PORT = 4420;

    private final AtomicReference<Link> link = new AtomicReference<>();
    private final KernelLab lab = KernelLab.onVeth(opened -> {
        link.set(opened);
        return opened;
    });
    private final KernelPeer peer = lab.peer();
    private final Events events = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    @ParameterizedTest
    @EnumSource
    void takesAConnectionOfTheKernel(Family family) {
        within(lab.cm().listen(ListenOptions.on(family.ours(PORT)), events));
        peer.expect("connected", "connect", "c", family.ours(), PORT);
        peer.expect("sent", "send", "c", MpaHex.request(0x40, 1, MpaHex.counting(512)));

        Connection connection = events.take().connection();
        within(connection.accept(AcceptOptions.DEFAULT));
        peer.expect(MpaHex.reply(0x40, 1, ""), "receive", "c", MpaHex.HEADER);
        events.take(CmEvent.Established.class);
        assertThat(within(connection.disconnect())).isEqualTo(Cause.NONE);
        peer.expect("FIN", "rest", "c");
        peer.expect("done", "close", "c");

        assertThat(link.get().events().get(LinkEvent.CHECKSUMS_FINISHED)).isPositive();
    }

    @Test
    void theHostsKernelDoesNotAnswerForUs() {
        assertThat(peer.ask("connect", "c", Family.V4.ours(), PORT))
                .as("nobody listens")
                .isEqualTo("ECONNREFUSED");
        assertThat(link.get().counters().sent()).as("it was we who refused").isPositive();
    }
}
