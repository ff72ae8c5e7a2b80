package io.iwcm.cm.ops;

import io.iwcm.cm.api.Connection;
import io.iwcm.cm.api.ConnectionHandler;
import io.iwcm.cm.proto.CmEvent;
import io.iwcm.cm.trace.EventText;
import java.io.PrintWriter;

/** Prints every event of every connection, a line each. */
final class EventPrinter implements ConnectionHandler {

    private final PrintWriter out;

    EventPrinter(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void onEvent(Connection connection, CmEvent event) {
        say(connection.id() + " " + connection.local() + " <> " + connection.remote() + "  "
                + EventText.describe(event));
    }

    synchronized void say(String line) {
        out.println(line);
        out.flush();
    }
}
