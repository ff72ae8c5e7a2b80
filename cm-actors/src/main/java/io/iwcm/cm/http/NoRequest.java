package io.iwcm.cm.http;

import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.http.ParsingErrorHandler;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.scaladsl.model.ErrorInfo;
import org.apache.pekko.http.scaladsl.model.StatusCode;
import org.apache.pekko.http.scaladsl.settings.ServerSettings;

/** Answers what is so malformed that there is no request to be routed, in the form of every other problem. Made by its name. */
public final class NoRequest extends ParsingErrorHandler {

    /** There is no path that could be believed. */
    private static final String NOWHERE = "/";

    @Override
    public HttpResponse handle(StatusCode status, ErrorInfo error, LoggingAdapter log, ServerSettings settings) {
        log.debug("no request: {}", error.formatPretty());
        return Responses.of(Problem.of(status, error.summary()).refusal(), NOWHERE);
    }
}
