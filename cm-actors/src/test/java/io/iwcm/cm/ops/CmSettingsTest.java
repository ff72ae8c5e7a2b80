package io.iwcm.cm.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.actor.ListenOrder;
import io.iwcm.cm.actor.Marking;
import io.iwcm.cm.actor.PortMapper;
import io.iwcm.cm.mpa.MpaPolicy.CrcPolicy;
import io.iwcm.cm.mpa.RtrSet;
import io.iwcm.nic.settings.SettingsException;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Endpoint;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CmSettingsTest {

    private static Config with(String text) {
        return ConfigFactory.parseString(text)
                .withFallback(ConfigFactory.parseResources("reference.conf"))
                .resolve();
    }

    @Test
    void referenceIsWhatTheProtocolAsksFor() {
        CmSettings settings = CmSettings.from(with(""));

        assertThat(settings.tcp().rtoFirstNs()).isEqualTo(1_000_000_000L);
        assertThat(settings.tcp().rtoMaxNs()).isEqualTo(60_000_000_000L);
        assertThat(Duration.ofNanos(settings.deadlines().synNs())).isEqualTo(Duration.ofMinutes(3));
        assertThat(settings.mpa().depthsMax()).isEqualTo(new ReadDepths(32, 32));
        assertThat(settings.mpa().crc()).isEqualTo(CrcPolicy.REQUIRED);
        assertThat(settings.mpa().rtr()).isEqualTo(RtrSet.WRITE_OR_READ);
        assertThat(settings.mpa().strictReply()).isTrue();
    }

    @Test
    void everyValueReachesItsPlace() {
        CmSettings settings = CmSettings.from(with("""
            iwcm.cm {
              dispatchers = 3, stop-grace = 9s
              tcp { rto-first = 2s, rto-max = 9s, retries-max = 3, window = 70000, window-scale = 1, mss-floor = 99
                    challenge-acks-max = 4, challenge-acks-window = 7s }
              deadlines { address = 1s, syn = 2s, syn-rcvd = 3s, mpa-request = 4s, mpa-reply = 5s, decision = 0s
                          accept = 6s, rtr = 8s, close = 7s }
              mpa { ird-max = 5, ord-max = 6, crc = strict-off, markers = true, rtr = [send], answer-all-rtr = true
                    strict-reply = false, accept-revision-0 = true }
              compat { early-fpdu-is-error = true, simultaneous-open-resets = true, malformed-options-reset = true }
            }
            """));

        assertThat(settings.dispatchers()).isEqualTo(3);
        assertThat(settings.stopGrace()).isEqualTo(Duration.ofSeconds(9));
        assertThat(settings.tcp())
                .hasToString("TcpParams[rtoFirstNs=2000000000, rtoMaxNs=9000000000, retriesMax=3, window=70000, "
                        + "windowScale=1, mssFloor=99, challengesMax=4, challengeWindowNs=7000000000]");
        assertThat(settings.deadlines())
                .hasToString("Deadlines[addressNs=1000000000, synNs=2000000000, synRcvdNs=3000000000, "
                        + "mpa=MpaDeadlines[requestNs=4000000000, replyNs=5000000000, decisionNs=0, "
                        + "acceptNs=6000000000, rtrNs=8000000000], closeNs=7000000000]");
        assertThat(settings.mpa())
                .hasToString("MpaPolicy[depthsMax=ird 5 ord 6, crc=STRICT_OFF, receiveMarkers=true, "
                        + "rtr=RtrSet[send=true, write=false, read=false], answerAllRtr=true, strictReply=false, "
                        + "acceptRevision0=true]");
        assertThat(settings.compat())
                .hasToString("Compat[earlyFpduIsError=true, simultaneousOpenResets=true, malformedOptionsReset=true]");
    }

    @Test
    void prioritiesFollowThePrecedenceUnlessTheDscpMapIsAskedFor() {
        assertThat(CmSettings.from(with("")).onTheWire().marking()).isEqualTo(Marking.PRECEDENCE);

        Marking.ByDscp usual = (Marking.ByDscp) CmSettings.from(with("iwcm.cm.priorities.mode = dscp"))
                .onTheWire()
                .marking();
        assertThat(usual.priorities()).hasSize(64);
        for (int codePoint = 0; codePoint < 64; codePoint++) {
            assertThat(usual.priorities().get(codePoint)).isEqualTo(codePoint >> 3);
        }
    }

    @Test
    void aListenerMayLimitWhatItAccepts() {
        CmSettings settings = CmSettings.from(with("""
            iwcm.cm.listeners = [
              { address = "::", port = 1, answer = accept, connections = 7 }
              { address = "::", port = 2, answer = accept }
            ]
            """));

        assertThat(settings.listeners())
                .extracting(order -> ((ListenOrder.AnswerPolicy.Accept) order.answer()).most())
                .containsExactly(7, Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "iwcm.cm.priorities.dscp-map = [0, 1] | iwcm.cm.priorities.dscp-map = [0,1] | a list of 64 priorities",
                "iwcm.cm.priorities.mode = tos | iwcm.cm.priorities.mode = \"tos\" | precedence or dscp",
                "iwcm.cm.tcp.retries-max = 65 | iwcm.cm.tcp.retries-max = 65 | 0..64",
                "iwcm.cm.tcp.rto-first = 5ms | iwcm.cm.tcp.rto-first = \"5ms\" | 100ms..60s",
                "iwcm.cm.tcp { window-scale = 0, window = 70000 } | iwcm.cm.tcp.window = 70000 | 1024..65535 with a"
                        + " window-scale of 0",
                "iwcm.cm.mpa.ird-max = 16383 | iwcm.cm.mpa.ird-max = 16383 | 0..16382",
                "iwcm.cm.mpa.crc = off | iwcm.cm.mpa.crc = \"off\" | required or preferred-off or strict-off",
                "iwcm.cm.mpa.rtr = [write, reed] | iwcm.cm.mpa.rtr | a list of send, write and read",
                "iwcm.cm.deadlines.close = 0s | iwcm.cm.deadlines.close = \"0s\" | 1ms..86400s",
                "iwcm.cm.port-mapper = java.lang.String | iwcm.cm.port-mapper = \"java.lang.String\" | identity, or",
                "iwcm.cm.port-mapper = no.Such | iwcm.cm.port-mapper = \"no.Such\" | identity, or",
            })
    void badValueIsOneSentenceThatNamesKeyPlaceAndRange(String line, String key, String allowed) {
        assertThatThrownBy(() -> CmSettings.from(with(line)))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(key)
                .hasMessageContaining("String: 1")
                .hasMessageContaining(allowed)
                .message()
                .doesNotContain("\n");
    }

    /** One that a configuration can name. */
    public static final class NamedMapper implements PortMapper {
        @Override
        public CompletionStage<Answer> add(Endpoint local) {
            return IDENTITY.add(local);
        }

        @Override
        public CompletionStage<Answer> query(Endpoint remote) {
            return IDENTITY.query(remote);
        }

        @Override
        public void remove(Endpoint local) {}
    }

    @Test
    void aPortMapperIsNamedByItsClass() {
        assertThat(CmSettings.from(with("")).onTheWire().portMapper()).isSameAs(PortMapper.IDENTITY);
        assertThat(CmSettings.from(with("iwcm.cm.port-mapper = \"" + NamedMapper.class.getName() + "\""))
                        .onTheWire()
                        .portMapper())
                .isInstanceOf(NamedMapper.class);
    }

    @Test
    void listenersAreRead() {
        CmSettings settings = CmSettings.from(with("""
            iwcm.cm.listeners = [
              { address = "0.0.0.0", port = 4420, answer = accept }
              { address = "fd00::1", port = 4421, vlan = 7, v6-only = true, backlog = 2, syn-backlog = 3
                traffic-class = 96, priority = 5, answer = reject, private-data = "no" }
              { address = "10.0.0.1", port = 4422, answer = accept, ird = 3, ord = 4, private-data = "yes" }
            ]
            """));

        assertThat(settings.listeners()).hasSize(3);
        assertThat(settings.listeners().get(0).isWildcard()).isTrue();
        assertThat(settings.listeners().get(0).vlan()).isEqualTo(ListenOrder.ANY_VLAN);
        assertThat(settings.listeners().get(1))
                .hasToString("ListenOrder[local=[fd00::1]:4421, vlan=7, familyOnly=true, "
                        + "backlog=Backlog[halfOpen=3, waiting=2], tos=Tos[trafficClass=96, priority=5], "
                        + "answer=Reject[privateData=(2) 6e6f]]");
        assertThat(settings.listeners().get(2).answer())
                .hasToString("Accept[with=Accept[qp=Optional.empty, depths=Optional[ird 3 ord 4], "
                        + "privateData=(3) 796573], most=2147483647]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port = 0, answer = accept | listeners[0].port = 0 | 1..65535",
                "port = 1, answer = ask | listeners[0].answer = \"ask\" | accept or reject",
                "port = 1, answer = accept, ird = 3 | listeners[0].ord is missing | 0..16382",
                "port = 1, answer = accept, backlog = 0 | listeners[0].backlog = 0 | 1..1048576",
                "port = 1 | listeners[0].answer is missing | accept or reject",
                "port = 1, answer = accept, adress = x | listeners[0].adress | did you mean",
            })
    void badListenerIsOneSentence(String keys, String what, String allowed) {
        assertThatThrownBy(
                        () -> CmSettings.from(with("iwcm.cm.listeners = [ { address = \"10.0.0.1\", " + keys + " } ]")))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(what)
                .hasMessageContaining(allowed);
    }

    @Test
    void privateDataThatFitsNoFrameIsRefusedWithItsLimit() {
        String block =
                "{ address = \"10.0.0.1\", port = 1, answer = accept, private-data = \"" + "x".repeat(509) + "\" }";

        assertThatThrownBy(() -> CmSettings.from(with("iwcm.cm.listeners = [" + block + "]")))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("at most 508 octets");
    }

    @Test
    void misspeltKeyIsToldTheNearestKnownOne() {
        assertThatThrownBy(() -> CmSettings.from(with("iwcm.cm.tcp.retrys-max = 3")))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("iwcm.cm.tcp.retrys-max")
                .hasMessageContaining("did you mean iwcm.cm.tcp.retries-max?");
    }
}
