package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.iwcm.cm.proto.Cause;
import java.util.Locale;
import java.util.Optional;
import org.apache.pekko.http.javadsl.model.StatusCode;
import org.apache.pekko.http.javadsl.model.StatusCodes;

/**
 * What went wrong with a request, as RFC 9457 has it.
 *
 * @param status of the answer
 * @param detail one sentence
 * @param cause the connection manager's own reason, where it has one
 */
record Problem(StatusCode status, String detail, Optional<Cause> cause) {

    static Problem of(StatusCode status, String detail) {
        return new Problem(status, detail, Optional.empty());
    }

    static Problem badRequest(String detail) {
        return of(StatusCodes.BAD_REQUEST, detail);
    }

    static Problem notFound(String detail) {
        return of(StatusCodes.NOT_FOUND, detail);
    }

    static Problem conflict(String detail) {
        return of(StatusCodes.CONFLICT, detail);
    }

    static Problem stopping() {
        return of(StatusCodes.SERVICE_UNAVAILABLE, "this node is stopping");
    }

    /** @param what was not done, as the beginning of a sentence */
    static Problem of(Cause cause, String what) {
        return new Problem(status(cause), what + ": " + cause.phrase(), Optional.of(cause));
    }

    /** Whose fault it is: the caller's or of the moment, the peer's, or ours. */
    private static StatusCode status(Cause cause) {
        return switch (cause) {
            case ADDRESS_IN_USE, ADDRESS_NOT_AVAILABLE, INVALID, LOCAL_ABORT, LOCAL_DOWN -> StatusCodes.CONFLICT;
            case REFUSED_TCP, REJECTED_ULP, RESET, PROTOCOL, UNREACHABLE -> StatusCodes.BAD_GATEWAY;
            case TIMEOUT_SYN, TIMEOUT_MPA, TIMEOUT_PEER -> StatusCodes.GATEWAY_TIMEOUT;
            case RESOURCES, SHUTDOWN -> StatusCodes.SERVICE_UNAVAILABLE;
            case NONE -> StatusCodes.INTERNAL_SERVER_ERROR; // Nobody makes a problem of success.
        };
    }

    Refusal refusal() {
        return new Refusal(this);
    }

    ObjectNode json(String instance) {
        ObjectNode node = Json.object();
        node.put(
                "type",
                cause.map(why -> "urn:iwcm:cause:" + why.name().toLowerCase(Locale.ROOT))
                        .orElse("about:blank"));
        node.put("title", cause.map(Cause::phrase).orElse(status.reason()));
        node.put("status", status.intValue());
        node.put("detail", detail);
        node.put("instance", instance);
        cause.ifPresent(why -> {
            node.put("cause", why.name());
            node.put("errno", why.errno());
        });
        return node;
    }
}
