package io.iwcm.cm.http;

import io.iwcm.cm.actor.CmConnection;
import io.iwcm.cm.actor.Role;
import io.iwcm.cm.proto.StateName;
import io.iwcm.cm.trace.ConnectionHistory;
import io.iwcm.cm.trace.FrameText;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.FlowKey;
import io.iwcm.nic.wire.IpAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;

/**
 * Which connections are meant; what is empty does not matter.
 *
 * @param states one of these
 * @param address either end's
 * @param addressPort the port of the same end
 * @param port either end's
 * @param text a part of anything that people see of it, in lower case
 */
record ConnectionFilter(
        List<StateName> states,
        Optional<Role> role,
        Optional<IpAddress> address,
        OptionalInt addressPort,
        Optional<Long> port,
        Optional<String> text) {

    static ConnectionFilter of(Call call) {
        List<StateName> states = call.texts("state").stream()
                .map(text -> call.constant("state", text, StateName.class))
                .toList();
        Optional<Role> role = call.text("role")
                .map(_ -> Role.valueOf(
                        call.choice("role", List.of("active", "passive")).toUpperCase(Locale.ROOT)));
        Optional<Place> place = call.text("address").map(Place::parse);
        return new ConnectionFilter(
                states,
                role,
                place.map(Place::address),
                place.map(Place::port).orElse(OptionalInt.empty()),
                call.number("port", 1, 65_535),
                call.text("text").map(part -> part.toLowerCase(Locale.ROOT)));
    }

    private record Place(IpAddress address, OptionalInt port) {

        /** {@code 10.0.0.1}, {@code 10.0.0.1:4420}, {@code fd00::1}, {@code [fd00::1]} or {@code [fd00::1]:4420}. */
        static Place parse(String text) {
            try {
                if (text.startsWith("[")) {
                    int end = text.indexOf(']');
                    return new Place(
                            IpAddress.parse(text.substring(1, Math.max(end, 1))), port(text.substring(end + 1)));
                }
                int colon = text.indexOf(':');
                boolean v4WithPort = colon >= 0 && colon == text.lastIndexOf(':');
                return v4WithPort
                        ? new Place(IpAddress.parse(text.substring(0, colon)), port(text.substring(colon)))
                        : new Place(IpAddress.parse(text), OptionalInt.empty());
            } catch (IllegalArgumentException e) {
                throw Call.notAllowed("address", text, "an address, or address:port, is");
            }
        }

        private static OptionalInt port(String text) {
            if (text.isEmpty()) return OptionalInt.empty();
            if (!text.matches(":\\d{1,5}")) throw new IllegalArgumentException(text);
            return OptionalInt.of(Integer.parseInt(text.substring(1)));
        }
    }

    boolean takes(Seen seen) {
        FlowKey flow = seen.connection().shown();
        return (states.isEmpty() || states.contains(seen.state()))
                && role.filter(wanted -> wanted != seen.connection().role()).isEmpty()
                && (takes(flow.local()) || takes(flow.remote()))
                && text.filter(part -> !shown(seen).contains(part)).isEmpty();
    }

    private static String shown(Seen seen) {
        CmConnection connection = seen.connection();
        StringJoiner words = new StringJoiner(" ");
        words.add(connection.id().toString())
                .add(connection.role().name())
                .add(seen.state().name())
                .add(connection.shown().local().toString())
                .add(connection.shown().remote().toString());
        seen.history().map(ConnectionHistory::facts).ifPresent(facts -> {
            facts.cause()
                    .ifPresent(cause -> words.add(cause.name()).add(cause.name().replace('_', ' ')));
            words.add(FrameText.privateData(facts.privateData()));
        });
        return words.toString().toLowerCase(Locale.ROOT);
    }

    private boolean takes(Endpoint end) {
        return address.filter(wanted -> !wanted.equals(end.address())).isEmpty()
                && (addressPort.isEmpty() || addressPort.getAsInt() == end.port())
                && port.filter(wanted -> wanted != end.port()).isEmpty();
    }
}
