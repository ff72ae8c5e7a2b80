package io.iwcm.nic.bridge;

/** What is counted between link, RNIC and dispatchers. Counts only grow. */
public enum BridgeCounter {
    FRAMES_TO_NIC("frames_to_nic", "frames given to the RNIC"),
    FRAMES_TO_LINK("frames_to_link", "frames given to the link"),
    RECEIVE_QUEUE_DROPS("receive_queue_drops", "received frames dropped: the queue between link and RNIC was full"),
    ILQ_ENTRIES("ilq_entries", "ILQ entries told to dispatchers"),
    ILQ_FULL("ilq_full", "ILQ entries dropped: their dispatcher had too many unread"),
    UNDELIVERABLE("undeliverable", "ILQ entries and events for a dispatcher that is not there"),
    EVENTS("events", "flow events told to dispatchers"),
    NIC_FAILURES("nic_failures", "batches, orders and ticks on which the code of the RNIC or the link threw"),
    OBSERVER_FAILURES("observer_failures", "frames on which whoever watches frames threw");

    private final String label;
    private final String sentence;

    BridgeCounter(String label, String sentence) {
        this.label = label;
        this.sentence = sentence;
    }

    /** The name under which operators know it. */
    public String label() {
        return label;
    }

    /** What is counted, for people. */
    public String sentence() {
        return sentence;
    }
}
