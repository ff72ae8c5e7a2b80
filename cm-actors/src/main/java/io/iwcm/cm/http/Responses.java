package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.model.StatusCode;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.Location;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;

/** Answers and problems as HTTP has them. */
final class Responses {

    private static final ContentType PROBLEM = ContentTypes.parse("application/problem+json");
    private static final ContentType YAML = ContentTypes.parse("application/yaml");
    private static final ContentType PROMETHEUS = ContentTypes.parse("text/plain; version=0.0.4; charset=UTF-8");
    private static final HttpHeader FRESH = RawHeader.create("Cache-Control", "no-store");
    private static final HttpHeader AS_IT_IS = RawHeader.create("X-Content-Type-Options", "nosniff");

    private Responses() {}

    static ContentType type(Route.Produces produces) {
        return switch (produces) {
            case JSON -> ContentTypes.APPLICATION_JSON;
            case YAML -> YAML;
            case PROMETHEUS -> PROMETHEUS;
            case EVENTS -> MediaTypes.TEXT_EVENT_STREAM.toContentType();
        };
    }

    static HttpResponse of(Answer answer, Route.Produces produces) {
        return switch (answer) {
            case Answer.Value(var json) -> json(StatusCodes.OK, json);
            case Answer.NotReady(var json) -> json(StatusCodes.SERVICE_UNAVAILABLE, json);
            case Answer.Made(var json, var location) ->
                json(StatusCodes.CREATED, json).addHeader(Location.create(location));
            case Answer.Done _ -> with(StatusCodes.NO_CONTENT);
            case Answer.Text(var text) -> with(StatusCodes.OK).withEntity(HttpEntities.create(type(produces), text));
            case Answer.Stream(var source) ->
                with(StatusCodes.OK).withEntity(HttpEntities.createChunked(type(produces), source));
        };
    }

    static HttpResponse of(Refusal refusal, String path) {
        Problem problem = refusal.problem();
        List<HttpHeader> more = new ArrayList<>();
        refusal.methods().ifPresent(methods -> more.add(RawHeader.create("Allow", methods)));
        if (problem.status().equals(StatusCodes.UNAUTHORIZED)) {
            more.add(RawHeader.create("WWW-Authenticate", "Bearer realm=\"iwcm\""));
        }
        return with(problem.status())
                .addHeaders(more)
                .withEntity(HttpEntities.create(PROBLEM, Json.bytes(problem.json(path))));
    }

    private static HttpResponse json(StatusCode status, JsonNode json) {
        return with(status).withEntity(HttpEntities.create(ContentTypes.APPLICATION_JSON, Json.bytes(json)));
    }

    private static HttpResponse with(StatusCode status) {
        return HttpResponse.create().withStatus(status).addHeaders(List.of(FRESH, AS_IT_IS));
    }
}
