package io.iwcm.cm.proto;

/** What the connection manager counts, irdma's names first. Metrics, CLI and tests read these. */
public enum CmCounter {
    NODES_CREATED("nodes_created", "connection nodes made"),
    NODES_DESTROYED("nodes_destroyed", "connection nodes ended"),
    ADOPTED("adopted", "connections taken over from a dispatcher that failed or left"),
    LISTEN_CREATED("listen_created", "listeners made"),
    LISTEN_DESTROYED("listen_destroyed", "listeners ended"),
    LISTEN_NODES_CREATED("listen_nodes_created", "listener children made, one per address and VLAN"),
    LISTEN_NODES_DESTROYED("listen_nodes_destroyed", "listener children ended"),
    LPBS("lpbs", "connections opened to an address of our own NIC, loopback included"),
    LISTEN_NODE_FAILURES("listen_node_failures", "listener children given up: their SYN entry could not be set"),
    ADDRESS_UPS("address_ups", "local addresses that came up"),
    ADDRESS_DOWNS("address_downs", "local addresses that went down"),
    ADDRESS_CHANGES_IGNORED(
            "address_changes_ignored", "address and interface changes that changed nothing, or came while stopping"),
    TOS_MISMATCHES("tos_mismatches", "SYNs whose traffic class was not their listener's"),
    ACCEPT_LIMIT_REJECTS(
            "accept_limit_rejects", "requests rejected: their listener had as many connections as it accepts"),
    ACCEPTS("accepts", "accepts taken"),
    REJECTS("rejects", "rejects taken"),
    CONNECT_ERRS("connect_errs", "active opens that failed"),
    PASSIVE_ERRS("passive_errs", "passive opens that failed before the application knew"),
    PKT_RETRANS("pkt_retrans", "segments retransmitted"),
    BACKLOG_DROPS("backlog_drops", "SYNs dropped for a full backlog"),
    MPA_MALFORMED("mpa_malformed", "MPA frames that broke the protocol"),
    MPA_TIMEOUTS("mpa_timeouts", "MPA start-ups that ran out of time"),
    MPA_FALLBACKS("mpa_fallbacks", "second attempts with MPA revision 1"),
    CHALLENGE_ACKS("challenge_acks", "RFC 5961 challenge ACKs sent"),
    CHALLENGE_ACKS_LIMITED("challenge_acks_limited", "challenge ACKs withheld by the per-connection limit"),
    SEGMENTS_UNACCEPTABLE("segments_unacceptable", "segments outside the window"),
    SEGMENTS_OUT_OF_ORDER("segments_out_of_order", "segments kept until those before them arrive"),
    OPTIONS_MALFORMED("options_malformed", "TCP option blocks with an illegal length"),
    ICMP_BELIEVED("icmp_believed", "ICMP errors that quoted a segment in flight"),
    ICMP_IGNORED("icmp_ignored", "ICMP errors that quoted nothing in flight, or said what cannot be"),
    AH_FAILURES("ah_failures", "address handles that could not be made"),
    STEERING_FAILURES("steering_failures", "quad hash entries that could not be made"),
    LOST_REQUESTS_DROPPED("lost_requests_dropped", "requests of lost connections ended before their answer: too many"),
    HAND_OVERS("hand_overs", "connections handed to a queue pair"),
    ILQ_UNKNOWN_FLOW("ilq_unknown_flow", "ILQ entries that neither a connection nor a listener wants"),
    CONSUMER_FAILURES("consumer_failures", "connections ended because the code that handles their events threw"),
    PORT_MAPPER_ABSENCES("port_mapper_absences", "endpoints on the wire as they are: the port mapper did not answer"),
    PORT_MAPPER_REFUSALS("port_mapper_refusals", "local endpoints that the port mapper refused"),
    CONFIG_RELOADS("config_reloads", "times that the configuration was read again and all of it done"),
    CONFIG_RELOAD_FAILURES("config_reload_failures", "times that it could not be used, or not all of it done");

    private final String label;
    private final String sentence;

    CmCounter(String label, String sentence) {
        this.label = label;
        this.sentence = sentence;
    }

    public String label() {
        return label;
    }

    public String sentence() {
        return sentence;
    }
}
