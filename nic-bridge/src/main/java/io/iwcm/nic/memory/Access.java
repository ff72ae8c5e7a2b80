package io.iwcm.nic.memory;

/**
 * What may be done to a region besides being read locally, which is always allowed.
 *
 * @param localWrite receives and the answers to own Reads may be placed there
 * @param remoteRead peers may read it (RDMA Read)
 * @param remoteWrite peers may write it (RDMA Write)
 */
public record Access(boolean localWrite, boolean remoteRead, boolean remoteWrite) {

    /** A source of own Sends and Writes, and nothing else. */
    public static final Access LOCAL_READ = new Access(false, false, false);

    /** Receives and answers to own Reads may be placed there. */
    public static final Access LOCAL_WRITE = new Access(true, false, false);

    /** Peers may read it. */
    public static final Access REMOTE_READ = new Access(false, true, false);

    /** Peers may write it. */
    public static final Access REMOTE_WRITE = new Access(true, false, true);

    /** Everything. */
    public static final Access ALL = new Access(true, true, true);

    /** Whether memory is written to under these rights. */
    boolean writes() {
        return localWrite || remoteWrite;
    }
}
