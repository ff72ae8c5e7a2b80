package io.iwcm.cm.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * What a member does.
 *
 * @param bridge it has a NIC whose bridge serves the cluster
 * @param cm it has buckets for every bridge
 */
public record Roles(boolean bridge, boolean cm) {

    public static final String BRIDGE = "bridge";
    public static final String CM = "cm";

    /** Their names, as the cluster knows them. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        if (bridge) names.add(BRIDGE);
        if (cm) names.add(CM);
        return names;
    }
}
