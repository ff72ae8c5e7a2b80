package io.iwcm.cm.ops.client;

import java.util.List;

/** All commands that ask a running node, in the order the help shows them. */
public final class ClientCommands {

    private ClientCommands() {}

    public static List<Object> all() {
        return List.of(
                new StatusCommand(),
                new LinksCommand(),
                new NeighboursCommand(),
                new SteeringCommand(),
                new CountersCommand(),
                new ListenersCommand(),
                new ConnectionsCommand(),
                new ConnectionCommand(),
                new AnswerCommands.Accept(),
                new AnswerCommands.Reject(),
                new AnswerCommands.Disconnect(),
                new AnswerCommands.Abort(),
                new EventsCommand());
    }
}
