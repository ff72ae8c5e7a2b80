package io.iwcm.cm.ops;

import io.iwcm.nic.link.FaultRates;
import io.iwcm.nic.spi.ReadDepths;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code iwcm demo}: two connection managers on an in-memory wire; needs neither root nor network. */
@Command(
        name = "demo",
        description = "Connect two connection managers over an in-memory wire, and show what happens.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class DemoCommand implements Callable<Integer> {

    private static final long PAUSE_MS = 2000;
    private static final long REORDER_NS_MAX = 1_000_000;
    private static final int SHOWN_MAX = 4;

    @Spec
    private CommandSpec spec;

    @Option(names = "--once", description = "One round, then end: with 0 only if every step was right.")
    private boolean once;

    @Option(names = "--ipv6", description = "IPv6 instead of IPv4.")
    private boolean ipv6;

    @Option(names = "--vlan", paramLabel = "ID", description = "On this VLAN, 1..4094.")
    private Integer vlan = 0;

    @Option(names = "--mpa", paramLabel = "1|2", description = "MPA revision of the request. Default: 2.")
    private int revision = 2;

    @Option(names = "--client-server", description = "Do not ask for the peer-to-peer model: no RTR.")
    private boolean clientServer;

    @Option(names = "--reject", description = "The target rejects.")
    private boolean reject;

    @Option(
            names = "--ird",
            paramLabel = "N",
            description = "Inbound reads the initiator offers, 0..16382. Default: 8.")
    private int ird = 8;

    @Option(names = "--ord", paramLabel = "N", description = "Outbound reads it asks for, 0..16382. Default: 4.")
    private int ord = 4;

    @Option(
            names = "--private-data",
            paramLabel = "TEXT",
            description = "Private data both ways, at most 508 octets (512 in MPA revision 1). Default: hello.")
    private String privateData = "hello";

    @Option(names = "--loss", paramLabel = "P", description = "Share of frames the wire loses, 0..1.")
    private double loss;

    @Option(names = "--duplicate", paramLabel = "P", description = "Share of frames the wire doubles, 0..1.")
    private double duplicate;

    @Option(names = "--reorder", paramLabel = "P", description = "Share of frames that others overtake, 0..1.")
    private double reorder;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the wire's dice. Default: 1.")
    private long seed = 1;

    @Option(names = "--connections", paramLabel = "N", description = "Connections at once, 1..1000. Default: 1.")
    private int connections = 1;

    @Option(names = "--timeout", paramLabel = "S", description = "Seconds for a round, 1..3600. Default: 60.")
    private int timeoutSeconds = 60;

    @Option(names = "--pcap", paramLabel = "FILE", description = "Record the initiator's side of the wire here.")
    private Optional<Path> pcap = Optional.empty();

    @Option(
            names = "--quiet",
            description = "Only the result. More than " + SHOWN_MAX + " connections are quiet by themselves.")
    private boolean quiet;

    @Override
    public Integer call() throws InterruptedException {
        DemoPlan plan = plan();
        Logging.start();
        PrintWriter out = spec.commandLine().getOut();
        while (true) {
            List<String> wrong = new Demo(plan, quiet || connections > SHOWN_MAX, out).run();
            wrong.forEach(sentence -> out.println("WRONG  " + sentence));
            out.flush();
            if (once || !wrong.isEmpty()) return wrong.isEmpty() ? 0 : 1;
            Thread.sleep(PAUSE_MS);
        }
    }

    private DemoPlan plan() {
        Checks checks = new Checks(spec);
        checks.within("--vlan", vlan, 0, 4094);
        checks.within("--mpa", revision, 1, 2);
        checks.within("--ird", ird, 0, ReadDepths.MAX);
        checks.within("--ord", ord, 0, ReadDepths.MAX);
        checks.within("--connections", connections, 1, 1000);
        checks.within("--timeout", timeoutSeconds, 1, 3600);
        checks.share("--loss", loss);
        checks.share("--duplicate", duplicate);
        checks.share("--reorder", reorder);
        return new DemoPlan(
                new DemoPlan.Network(ipv6, vlan),
                revision,
                revision == 2 && !clientServer,
                reject,
                new ReadDepths(ird, ord),
                checks.privateData("--private-data", privateData.getBytes(StandardCharsets.UTF_8), revision),
                new DemoPlan.Wire(
                        FaultRates.NONE
                                .withLoss(loss)
                                .withDuplication(duplicate)
                                .withReordering(reorder, REORDER_NS_MAX),
                        seed,
                        pcap),
                new DemoPlan.Load(connections, timeoutSeconds));
    }
}
