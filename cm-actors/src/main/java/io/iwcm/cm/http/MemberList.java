package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.cluster.ClusterActorRefProvider;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.typed.Cluster;

/** The members of the cluster as this one sees them; alone it is all there is. */
final class MemberList {

    private final ActorSystem<?> system;
    private final boolean clustered;

    MemberList(ActorSystem<?> system) {
        this.system = system;
        this.clustered = Adapter.toClassic(system) instanceof ExtendedActorSystem running
                && running.provider() instanceof ClusterActorRefProvider;
    }

    Answer list(boolean ready) {
        List<ObjectNode> members = new ArrayList<>();
        if (clustered) {
            Cluster cluster = Cluster.get(system);
            ClusterEvent.CurrentClusterState state = cluster.state();
            Set<Member> unreachable = state.getUnreachable();
            state.getMembers().forEach(member -> members.add(row(cluster, member, !unreachable.contains(member))));
        } else {
            ObjectNode self = Json.object();
            self.put("address", system.address().toString());
            self.put("status", ready ? "up" : "leaving");
            self.put("reachable", true);
            self.putArray("roles").add("bridge").add("cm");
            self.put("self", true);
            members.add(self);
        }
        return new Answer.Value(Json.array(members, node -> node));
    }

    private static ObjectNode row(Cluster cluster, Member member, boolean reachable) {
        ObjectNode row = Json.object();
        row.put("address", member.address().toString());
        row.put("status", member.status().toString().toLowerCase(Locale.ROOT));
        row.put("reachable", reachable);
        var roles = row.putArray("roles");
        member.getRoles().stream()
                .filter(role -> !role.startsWith("dc-")) // Pekko's own.
                .sorted()
                .forEach(roles::add);
        row.put("self", member.uniqueAddress().equals(cluster.selfMember().uniqueAddress()));
        return row;
    }
}
