package io.iwcm.cm.cluster;

import static io.iwcm.cm.api.Lab.await;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.iwcm.cm.actor.CmObserver;
import io.iwcm.cm.actor.CmOptions;
import io.iwcm.cm.actor.KeyedIsnSource;
import io.iwcm.cm.actor.TestParams;
import io.iwcm.cm.api.ConnectionManager;
import io.iwcm.nic.bridge.NicHost;
import io.iwcm.nic.link.Link;
import io.iwcm.nic.rnic.RnicConfig;
import io.iwcm.nic.rnic.SoftRnic;
import io.iwcm.nic.spi.NicControl.LocalAddress;
import io.iwcm.nic.steer.SipHash;
import io.iwcm.nic.testkit.Flows;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;

/** Members of one cluster, each an actor system of its own that talks to the others over loopback. */
final class Members implements AutoCloseable {

    private static final int MTU = 1500;
    private static final int BUCKETS = 2;
    private static final Config REMOTE = ConfigFactory.parseString("""
        pekko.actor.provider = cluster
        pekko.remote.artery.canonical.port = 0
        pekko.coordinated-shutdown.run-by-actor-system-terminate = off
        pekko.cluster.split-brain-resolver.stable-after = 2s
        pekko.cluster.shutdown-after-unsuccessful-join-seed-nodes = off
        """);

    private final List<ConnectionManager> members = new ArrayList<>();

    /** Joins those that are there, and waits until all are up. */
    ConnectionManager join(Link link, Roles roles, CmObserver observer, String... addresses) {
        List<LocalAddress> local = new ArrayList<>();
        for (String address : addresses) local.add(Flows.address(address, 0));
        ConnectionManager member = ConnectionManager.join(
                "iwcm", // As the program calls it.
                ConnectionManager.configuration(
                        ConfigFactory.parseString("pekko.cluster.roles = [" + String.join(", ", roles.names()) + "]")
                                .withFallback(REMOTE)),
                system -> NicHost.start(
                        system,
                        link,
                        new SoftRnic(
                                RnicConfig.of(Flows.mac(100 + members.size()), local, MTU),
                                new SipHash(members.size(), 7),
                                RnicConfig.Cookies.DEFAULT,
                                new SecureRandom()::nextLong,
                                System.nanoTime()),
                        NicHost.Options.DEFAULT.withObserver(observer)),
                new CmOptions(
                        TestParams.ordinary(KeyedIsnSource.ofFreshSecret()),
                        BUCKETS,
                        Duration.ofSeconds(5),
                        local,
                        observer),
                roles);
        members.add(member);
        cluster(member)
                .manager()
                .tell(Join.create(cluster(members.getFirst()).selfMember().address()));
        await("all members are up", () -> members.stream().allMatch(one -> up(one) == members.size()));
        return member;
    }

    private static long up(ConnectionManager one) {
        long count = 0;
        for (Member member : cluster(one).state().getMembers()) {
            if (member.status().equals(MemberStatus.up())) count++;
        }
        return count;
    }

    static Cluster cluster(ConnectionManager member) {
        return Cluster.get(member.system());
    }

    /** Ends the actors of a member without a word of leave. */
    void kill(ConnectionManager member) {
        members.remove(member);
        ActorSystem<?> system = member.system();
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().join();
    }

    /** Ends a member in order. */
    void leave(ConnectionManager member) {
        members.remove(member);
        member.close();
    }

    @Override
    public void close() {
        members.reversed().forEach(ConnectionManager::close);
    }
}
