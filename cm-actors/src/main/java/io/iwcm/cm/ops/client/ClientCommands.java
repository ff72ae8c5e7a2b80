package io.iwcm.cm.ops.client;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** All commands that ask a running node, by name, in the order the help shows them. */
public final class ClientCommands {

    private ClientCommands() {}

    /** Each is made when it is asked for. */
    public static Map<String, Supplier<Object>> all() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("status", StatusCommand::new);
        commands.put("links", LinksCommand::new);
        commands.put("neighbours", NeighboursCommand::new);
        commands.put("steering", SteeringCommand::new);
        commands.put("counters", CountersCommand::new);
        commands.put("listeners", ListenersCommand::new);
        commands.put("connections", ConnectionsCommand::new);
        commands.put("connection", ConnectionCommand::new);
        commands.put("accept", AnswerCommands.Accept::new);
        commands.put("reject", AnswerCommands.Reject::new);
        commands.put("disconnect", AnswerCommands.Disconnect::new);
        commands.put("abort", AnswerCommands.Abort::new);
        commands.put("events", EventsCommand::new);
        commands.put("reload", ReloadCommand::new);
        return Collections.unmodifiableMap(commands);
    }
}
