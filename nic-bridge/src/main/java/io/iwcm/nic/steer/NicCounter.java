package io.iwcm.nic.steer;

/** What an RNIC counts besides dropped frames. Counts only grow. */
public enum NicCounter {
    PKT_RCVD("pkt_rcvd", "ILQ entries delivered to a dispatcher"),
    PKT_SENT("pkt_sent", "frames sent on the order of a connection"),
    RCVD_PKT_ERR("rcvd_pkt_err", "received frames that were malformed"),
    SENT_PKT_Q("sent_pkt_q", "frames that waited: behind others for the link, or turned round inside the NIC"),
    BUF_ALLOC_FAIL(
            "buf_alloc_fail", "frames not sent because no transmit buffer was free or the loopback queue was full"),

    FRAMES_RECEIVED("frames_received", "frames taken from the link"),
    FRAMES_TRANSMITTED("frames_transmitted", "frames given to the link"),
    QP_SEGMENTS_RECEIVED("qp_segments_received", "segments given to queue pairs"),
    QP_SEGMENTS_SENT("qp_segments_sent", "segments sent by queue pairs"),
    TRANSMITS_WITHOUT_HANDLE("transmits_without_handle", "segments not sent: the flow had no address handle"),
    TRANSMITS_UNRESOLVED("transmits_unresolved", "segments not sent: the next hop is being resolved again"),

    RESETS_SENT("resets_sent", "RST for segments that no connection wants"),
    RESETS_LIMITED("resets_limited", "RST not sent because of the rate limit"),
    ECHOES_ANSWERED("echoes_answered", "ICMP and ICMPv6 echo requests answered"),
    ECHOES_LIMITED("echoes_limited", "echo requests not answered because of the rate limit"),
    ICMP_ERRORS("icmp_errors", "ICMP and ICMPv6 errors given to the connection they quote"),
    ICMP_LIMITED("icmp_limited", "ICMP and ICMPv6 errors not looked at because of the rate limit"),
    ICMP_ABOUT_QP("icmp_about_qp", "ICMP and ICMPv6 errors about flows of queue pairs, which ignore them"),
    ARP_ANSWERED("arp_answered", "ARP requests answered"),
    ND_ANSWERED("nd_answered", "neighbour solicitations answered"),
    ANNOUNCEMENTS("announcements", "own addresses announced unasked"),
    ADDRESS_CONFLICTS("address_conflicts", "ARP or ND messages of others that claim an address of ours"),

    NEIGHBOUR_SOLICITS("neighbour_solicits", "ARP requests and neighbour solicitations sent"),
    NEIGHBOUR_FAILURES("neighbour_failures", "next hops that did not answer"),
    NEIGHBOUR_CHANGES("neighbour_changes", "next hops that were found at another MAC address"),
    NEIGHBOUR_EVICTIONS("neighbour_evictions", "neighbours forgotten to make room"),
    NEIGHBOUR_REFUSALS("neighbour_refusals", "resolutions refused: too many unresolved or waiting"),
    NEIGHBOUR_BAD_MAC("neighbour_bad_mac", "neighbours told with a MAC address that no host has"),

    DEVICE_COMMANDS("device_commands", "commands given to the device, frames to send aside"),
    DEVICE_FAILURES("device_failures", "commands that the device failed"),
    DEVICE_STRAYS("device_strays", "completions of no command under way"),
    QUAD_ADDS("quad_adds", "connections that the device began to catch frames of"),
    QUAD_DELETES("quad_deletes", "connections that the device ceased to catch frames of"),
    QUAD_RETRIES("quad_retries", "active opens given another port because the device had the quad"),
    SYN_ADDS("syn_adds", "SYN entries that the device took"),
    SYN_DELETES("syn_deletes", "SYN entries that the device gave up"),
    HANDLES_MADE("handles_made", "address handles that the device made"),
    HANDLES_FREED("handles_freed", "address handles that the device freed"),
    APBVT_ADDS("apbvt_adds", "ports that became ours"),
    APBVT_DELETES("apbvt_deletes", "ports that ceased to be ours"),
    HANDLES_BOUND("handles_bound", "times an address handle took a MAC address to keep (gen-2 frames)"),

    PORTS_EXHAUSTED("ports_exhausted", "active opens without a free port"),

    FLOWS_REFUSED("flows_refused", "flows refused: the quad hash is full"),
    LISTENS_REFUSED("listens_refused", "SYN entries refused: too many"),
    QUAD_TAKEN("quad_taken", "requests for a flow that another connection has"),
    SUPERSEDED("superseded", "requests of an owner or epoch that no longer counts"),
    REQUESTS_REPEATED("requests_repeated", "requests answered again and not carried out again"),
    FLOWS_EXPIRED("flows_expired", "flows reserved or claimed and never entered in the quad hash"),
    FLOWS_HANDED_ON("flows_handed_on", "flows that went to another dispatcher because theirs went"),
    EVENTS_FORGOTTEN("events_forgotten", "events nobody acknowledged, dropped for the limit of their flow"),
    FLOWS_ORPHANED("flows_orphaned", "flows ended because their dispatcher went"),
    QPS_REFUSED("qps_refused", "queue pairs refused: too many"),
    REGIONS_REFUSED("regions_refused", "memory regions refused: too many"),
    QUEUES_REFUSED("queues_refused", "queue pairs not taken into use: in use, not there, or too deep"),

    COOKIES_SENT("cookies_sent", "SYNs answered with a cookie"),
    COOKIES_ACCEPTED("cookies_accepted", "handshakes completed by a cookie"),
    COOKIES_BAD(
            "cookies_bad", "segments without a connection that bring back no cookie of ours, while cookies are in use"),
    COOKIES_STALE("cookies_stale", "segments that bring back a cookie that is too old"),
    COOKIES_LIMITED("cookies_limited", "SYNs not answered with a cookie because of the rate limit"),

    TIME_WAITS("time_waits", "connections whose TIME_WAIT was kept"),
    TIME_WAIT_EVICTIONS("time_wait_evictions", "TIME_WAIT rows dropped early to make room"),
    TIME_WAIT_ACKS("time_wait_acks", "late segments answered from TIME_WAIT"),
    TIME_WAIT_RESETS_IGNORED("time_wait_resets_ignored", "RST that came for TIME_WAIT"),
    TIME_WAIT_REOPENS("time_wait_reopens", "SYNs beyond the old numbers let through to the listener");

    private final String id;
    private final String sentence;

    NicCounter(String id, String sentence) {
        this.id = id;
        this.sentence = sentence;
    }

    /** The name under which operators know it; where irdma has it, irdma's. */
    public String id() {
        return id;
    }

    /** What one more means, for people. */
    public String sentence() {
        return sentence;
    }
}
