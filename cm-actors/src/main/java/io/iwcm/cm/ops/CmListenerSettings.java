package io.iwcm.cm.ops;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.ListenOrder;
import io.iwcm.cm.actor.ListenOrder.AnswerPolicy;
import io.iwcm.cm.actor.ListenOrder.Backlog;
import io.iwcm.cm.actor.ListenOrder.Tos;
import io.iwcm.cm.mpa.MpaCodec;
import io.iwcm.nic.settings.SettingsReader;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.IpAddress;
import io.iwcm.nic.wire.Octets;
import io.iwcm.nic.wire.VlanTag;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** One block of {@code iwcm.cm.listeners}; {@code reference.conf} says what each key does. */
final class CmListenerSettings {

    private enum Answer {
        ACCEPT,
        REJECT
    }

    private CmListenerSettings() {}

    static ListenOrder from(SettingsReader block) {
        IpAddress address = block.parsed("address", "an IPv4 or IPv6 address", CmListenerSettings::unicast);
        return new ListenOrder(
                new Endpoint(address, block.integer("port", 1, 65_535)),
                integer(block, "vlan", VlanTag.UNTAGGED, VlanTag.ID_MAX, ListenOrder.ANY_VLAN),
                block.isPresent("v6-only") && block.flag("v6-only"),
                new Backlog(
                        integer(block, "syn-backlog", 1, 1_048_576, Backlog.DEFAULT.halfOpen()),
                        integer(block, "backlog", 1, 1_048_576, Backlog.DEFAULT.waiting())),
                new Tos(
                        integer(block, "traffic-class", 0, 255, 0),
                        integer(block, "priority", 0, 7, Tos.FROM_TRAFFIC_CLASS)),
                answer(block));
    }

    private static IpAddress unicast(String text) {
        IpAddress address = IpAddress.parse(text);
        if (address.isMulticast()) throw new IllegalArgumentException(text);
        return address;
    }

    private static int integer(SettingsReader block, String key, int least, int most, int otherwise) {
        return block.isPresent(key) ? block.integer(key, least, most) : otherwise;
    }

    private static AnswerPolicy answer(SettingsReader block) {
        Octets privateData = privateData(block);
        Optional<ReadDepths> depths = depths(block);
        return switch (block.choice("answer", Answer.class)) {
            case ACCEPT ->
                new AnswerPolicy.Accept(
                        new CmConnection.Accept(Optional.empty(), depths, privateData),
                        integer(block, "connections", 1, AnswerPolicy.Accept.UNLIMITED, AnswerPolicy.Accept.UNLIMITED));
            case REJECT -> new AnswerPolicy.Reject(privateData);
        };
    }

    private static Octets privateData(SettingsReader block) {
        if (!block.isPresent("private-data")) return Octets.EMPTY;
        Octets data = Octets.wrap(block.text("private-data").getBytes(StandardCharsets.UTF_8));
        int most = MpaCodec.privateDataMax(true);
        if (data.length() > most) throw block.notAllowed("private-data", "text of at most " + most + " octets");
        return data;
    }

    private static Optional<ReadDepths> depths(SettingsReader block) {
        if (!block.isPresent("ird") && !block.isPresent("ord")) return Optional.empty();
        return Optional.of(
                new ReadDepths(block.integer("ird", 0, ReadDepths.MAX), block.integer("ord", 0, ReadDepths.MAX)));
    }
}
