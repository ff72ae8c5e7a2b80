package io.iwcm.cm.ops.client;

import io.iwcm.cm.ops.client.ClientFailure.Kind;
import java.util.regex.Pattern;

/** What the command line may name a connection by. */
final class ConnectionId {

    private static final Pattern FORM = Pattern.compile("\\d+\\.\\d+");

    private ConnectionId() {}

    /** The path of that connection. */
    static String path(String id) {
        if (!FORM.matcher(id).matches()) {
            throw new ClientFailure(
                    Kind.BAD_INPUT, "'" + id + "' is not the id of a connection: two numbers are, such as 3.17");
        }
        return "/connections/" + id;
    }
}
