package io.iwcm.cm.ops.client;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code iwcm links}: what frames come from and go to. */
@Command(
        name = "links",
        description = "List the links, their addresses and what passed.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class LinksCommand implements Callable<Integer> {

    @Mixin
    private Look look = new Look();

    @Override
    public Integer call() {
        return look.at("/links", LinksCommand::text);
    }

    private static String text(Object answer) {
        Table links = Table.of("LINK", "KIND", "MAC", ">MTU", "UP", ">RECEIVED", ">SENT", ">DROPPED");
        Table addresses = Table.of("LINK", "ADDRESS", ">VLAN");
        for (Doc link : Doc.all(answer)) {
            Doc drops = link.doc("drops");
            long dropped = drops.fields().keySet().stream()
                    .mapToLong(reason -> (long) drops.number(String.valueOf(reason)))
                    .sum();
            links.row(
                    link.text("name"),
                    link.text("kind"),
                    link.text("mac"),
                    link.text("mtu"),
                    link.text("up").equals("true") ? "yes" : "no",
                    link.text("framesReceived"),
                    link.text("framesSent"),
                    String.valueOf(dropped));
            for (Doc own : link.docs("addresses")) {
                addresses.row(
                        link.text("name"), own.text("address") + "/" + own.text("prefixLength"), own.text("vlan"));
            }
        }
        String gap = System.lineSeparator().repeat(2);
        return links.text("links") + gap + addresses.text("addresses");
    }
}
