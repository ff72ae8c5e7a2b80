package io.iwcm.cm.interop;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.actor.NicInterface;
import io.iwcm.cm.api.AcceptOptions;
import io.iwcm.cm.api.Events;
import io.iwcm.cm.api.ListenHandle;
import io.iwcm.cm.api.ListenOptions;
import io.iwcm.cm.interop.KernelLab.Family;
import io.iwcm.cm.proto.Cause;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.testkit.RequiresTap;
import io.iwcm.nic.testkit.RequiresTool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Our addresses come and go while the kernel is connected to them. */
@RequiresTap
@RequiresTool({"ip", "python3"})
@Timeout(120)
class AddressesAndKernelTest {

    private static final int PORT = 4420;
    private static final int CRC = 0x40;

    private final KernelLab lab = new KernelLab();
    private final KernelPeer peer = lab.peer();
    private final Events events = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    @ParameterizedTest
    @EnumSource
    void theKernelIsResetWhenItsAddressGoesAndServedAgainWhenItIsBack(Family family) {
        ListenHandle listener = listen();
        connect(family.ours());

        within(lab.cm().addressDown(Flows.ip(family.ours()), 0));
        peer.expect("ECONNRESET", "rest", "c");
        peer.expect("done", "close", "c");
        assertThat(events.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.LOCAL_DOWN);
        events.take(CmEvent.Closed.class);

        within(lab.cm().addressUp(Flows.address(family.ours() + (family == Family.V4 ? "/30" : "/64"), 0)));
        connect(family.ours());
        peer.expect("reply", "ping", family.ours(), 100);
        within(listener.close());
    }

    @Test
    void theKernelIsResetWhenTheInterfaceGoesDownAndServedAgainWhenItIsUp() {
        listen();
        connect(Family.V6.ours());

        within(lab.cm().interfaceDown(NicInterface.NIC));
        peer.expect("ECONNRESET", "rest", "c");
        assertThat(events.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.LOCAL_DOWN);
        events.take(CmEvent.Closed.class);
        within(lab.cm().interfaceUp(NicInterface.NIC));

        connect(Family.V4.ours());
    }

    @Test
    void theKernelConnectsToALinkLocalAddressThatCameAtRunTime() {
        listen();
        within(lab.cm().addressUp(Flows.address("fe80::2/64", 0)));

        connect("fe80::2%" + lab.device());

        peer.expect("done", "half-close", "c");
        assertThat(events.take(CmEvent.Disconnected.class).cause()).isEqualTo(Cause.NONE);
        peer.expect("FIN", "rest", "c");
    }

    private ListenHandle listen() {
        ListenOptions options = ListenOptions.on(Flows.end("[::]:" + PORT)).accepting(AcceptOptions.DEFAULT);
        return within(lab.cm().listen(options, events));
    }

    private void connect(String host) {
        peer.expect("connected", "connect", "c", host, PORT);
        peer.expect("sent", "send", "c", MpaHex.request(CRC, 1, ""));
        peer.expect(MpaHex.reply(CRC, 1, ""), "receive", "c", MpaHex.HEADER);
        events.take(CmEvent.Established.class);
    }
}
