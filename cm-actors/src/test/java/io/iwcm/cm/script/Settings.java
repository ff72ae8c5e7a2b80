package io.iwcm.cm.script;

import io.iwcm.cm.mpa.MpaPolicy;
import io.iwcm.cm.mpa.MpaPolicy.CrcPolicy;
import io.iwcm.cm.mpa.RtrSet;
import io.iwcm.cm.proto.CmParams;
import io.iwcm.cm.proto.CmParams.Compat;
import io.iwcm.cm.proto.CmParams.Deadlines;
import io.iwcm.cm.proto.CmParams.MpaDeadlines;
import io.iwcm.cm.proto.CmParams.TcpParams;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.SeqNum;
import io.iwcm.nic.wire.VlanTag;
import java.util.LinkedHashMap;
import java.util.Map;

/** What {@code ~} lines change: the parameters of the machine, the ISNs, the addressing. */
final class Settings {

    /** What a script begins with, as {@code ~} lines would say it. Times in nanoseconds. */
    private final Map<String, Long> numbers = new LinkedHashMap<>();

    ReadDepths depthsMax = new ReadDepths(32, 32);
    CrcPolicy crc = CrcPolicy.REQUIRED;
    boolean receiveMarkers;
    RtrSet rtr = RtrSet.WRITE_OR_READ;
    boolean answerAllRtr;
    boolean strictReply = true;
    boolean acceptRevision0;
    boolean earlyFpduIsError;
    boolean simultaneousOpenResets;
    boolean malformedOptionsReset;
    boolean v6;
    int vlan = VlanTag.UNTAGGED;
    SeqNum peerIsn = new SeqNum(50_000_000);

    private SeqNum ourIsn = new SeqNum(1_000_000_000);
    private long ourIsnSetNs;

    Settings() {
        numbers.put("rto", Durations.SECOND);
        numbers.put("rto-max", 60 * Durations.SECOND);
        numbers.put("retries", 6L);
        numbers.put("window", 65_535L * 4);
        numbers.put("window-scale", 2L);
        numbers.put("mss-floor", 88L);
        numbers.put("challenges", 10L);
        numbers.put("challenge-window", 5 * Durations.SECOND);
        numbers.put("address", 5 * Durations.SECOND);
        numbers.put("syn", 180 * Durations.SECOND);
        numbers.put("syn-rcvd", 60 * Durations.SECOND);
        numbers.put("mpa-request", 10 * Durations.SECOND);
        numbers.put("mpa-reply", 60 * Durations.SECOND);
        numbers.put("decision", 0L);
        numbers.put("accept", 12 * Durations.SECOND);
        numbers.put("rtr-wait", 12 * Durations.SECOND);
        numbers.put("close", 20 * Durations.SECOND);
        numbers.put("mtu", 1_500L);
    }

    /** Names of the settings that are numbers, for messages. */
    Iterable<String> numberNames() {
        return numbers.keySet();
    }

    boolean hasNumber(String name) {
        return numbers.containsKey(name);
    }

    void number(String name, long value) {
        numbers.put(name, value);
    }

    int mtu() {
        return intOf("mtu");
    }

    /** Our ISN for a connection that opens at {@code nowNs}; from there on it grows by one every 4 µs (RFC 6528). */
    void ourIsn(SeqNum isn, long nowNs) {
        ourIsn = isn;
        ourIsnSetNs = nowNs;
    }

    SeqNum ourIsn(long nowNs) {
        return new SeqNum(ourIsn.value() + (int) ((nowNs - ourIsnSetNs) / 4_000));
    }

    CmParams params() {
        return new CmParams(
                new TcpParams(
                        numbers.get("rto"),
                        numbers.get("rto-max"),
                        intOf("retries"),
                        intOf("window"),
                        intOf("window-scale"),
                        intOf("mss-floor"),
                        intOf("challenges"),
                        numbers.get("challenge-window")),
                new Deadlines(
                        numbers.get("address"),
                        numbers.get("syn"),
                        numbers.get("syn-rcvd"),
                        new MpaDeadlines(
                                numbers.get("mpa-request"),
                                numbers.get("mpa-reply"),
                                numbers.get("decision"),
                                numbers.get("accept"),
                                numbers.get("rtr-wait")),
                        numbers.get("close")),
                new MpaPolicy(depthsMax, crc, receiveMarkers, rtr, answerAllRtr, strictReply, acceptRevision0),
                new Compat(earlyFpduIsError, simultaneousOpenResets, malformedOptionsReset),
                (_, nowNs) -> ourIsn(nowNs));
    }

    FlowKey flow(int localPort, int remotePort) {
        return new FlowKey(
                new Endpoint(IpAddress.parse(v6 ? "fd00::1" : "10.0.0.1"), localPort),
                new Endpoint(IpAddress.parse(v6 ? "fd00::2" : "10.0.0.2"), remotePort),
                vlan);
    }

    private int intOf(String name) {
        return Math.toIntExact(numbers.get(name));
    }
}
