package io.iwcm.cm.api;

import static io.iwcm.cm.api.Lab.within;
import static org.assertj.core.api.Assertions.assertThat;

import io.iwcm.cm.api.Lab.Station;
import io.iwcm.cm.mpa.MpaPolicy;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.nic.link.WireOptions;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.testkit.Flows;
import io.iwcm.nic.wire.Endpoint;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Read depths from one application to the other: a responder whose device can IRD 16 and ORD 8 (RFC 6581 §9.1). */
@Tag("FC-08")
class ReadDepthsTest {

    private static final Endpoint PEER = Flows.end("10.0.0.1:4420");

    private final AtomicBoolean limited = new AtomicBoolean();
    private final Lab lab = new Lab(WireOptions.PLAIN, usual -> limited.getAndSet(true) ? usual : limited(usual));
    private final Station passive = lab.station("10.0.0.1/24");
    private final Station active = lab.station("10.0.0.2/24");
    private final Events passiveEvents = new Events();
    private final Events activeEvents = new Events();

    @AfterEach
    void end() {
        lab.close();
    }

    /** IRD and ORD of what either application wants, of the frames, and of what is agreed. */
    @ParameterizedTest(name = "asked {0}, accepted {1}")
    @CsvSource({
        "4/3, 16/8, 4/3, 16/4, 4/3, 16/4",
        "4/3, 2/2, 4/3, 3/2, 4/3, 3/2",
        "0/20, 16/8, 0/20, 16/0, 0/16, 16/0",
        "16382/16382, 5/8, 32/32, 16/8, 32/16, 16/8",
        "9/1, 40/40, 9/1, 16/8, 9/1, 16/8"
    })
    void agrees(String asked, String accepted, String request, String reply, String initiator, String responder) {
        within(passive.cm().listen(ListenOptions.on(PEER), passiveEvents));

        var connecting = active.cm().connect(ConnectOptions.to(PEER).depths(depths(asked)), activeEvents);
        Events.Heard heard = passiveEvents.take();
        assertThat(raw(((CmEvent.ConnectRequest) heard.event()).peer())).isEqualTo(depths(request));
        within(heard.connection().accept(AcceptOptions.DEFAULT.depths(depths(accepted))));

        CmEvent.ConnectReply replied = ((ConnectResult.Connected) within(connecting)).reply();
        assertThat(raw(replied.peer())).isEqualTo(depths(reply));
        assertThat(replied.depths()).isEqualTo(depths(initiator));
        assertThat(passiveEvents.take(CmEvent.Established.class).depths()).isEqualTo(depths(responder));
    }

    private static ReadDepths depths(String text) {
        String[] parts = text.split("/");
        return new ReadDepths(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    private static ReadDepths raw(PeerDepths peer) {
        return new ReadDepths(peer.ird(), peer.ord());
    }

    private static CmParams limited(CmParams usual) {
        MpaPolicy mpa = usual.mpa();
        return new CmParams(
                usual.tcp(),
                usual.deadlines(),
                new MpaPolicy(
                        new ReadDepths(16, 8),
                        mpa.crc(),
                        mpa.receiveMarkers(),
                        mpa.rtr(),
                        mpa.answerAllRtr(),
                        mpa.strictReply(),
                        mpa.acceptRevision0()),
                usual.compat(),
                usual.isn());
    }
}
