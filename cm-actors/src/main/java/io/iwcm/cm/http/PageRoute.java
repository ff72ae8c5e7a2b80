package io.iwcm.cm.http;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpMethods;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.StatusCodes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;

/** Serves the web page's files to everybody: they hold no secret, and a browser brings no token along for them. */
final class PageRoute {

    private final Map<String, HttpResponse> whole;
    private final Map<String, HttpResponse> unchanged;

    PageRoute(WebPage page) {
        whole = page.files().entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> whole(entry.getValue())));
        unchanged = page.files().entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> with(entry.getValue()).withStatus(StatusCodes.NOT_MODIFIED)));
    }

    /** The file that this asks for, or word that it is as the client has it; empty when it asks for something else. */
    Optional<HttpResponse> answer(HttpRequest request) {
        String path = request.getUri().getPathString();
        HttpResponse file = whole.get(path);
        if (file == null || !request.method().equals(HttpMethods.GET)) return Optional.empty();
        return Optional.of(isKnown(request, tag(file)) ? unchanged.getOrDefault(path, file) : file);
    }

    private static boolean isKnown(HttpRequest request, String tag) {
        return request.getHeader("If-None-Match").stream()
                .flatMap(known -> Arrays.stream(known.value().split(",")))
                .map(known -> known.strip().replaceFirst("^W/", ""))
                .anyMatch(known -> known.equals("*") || known.equals(tag));
    }

    private static String tag(HttpResponse file) {
        return file.getHeader("ETag").map(HttpHeader::value).orElse("");
    }

    private static HttpResponse whole(WebPage.File file) {
        ContentType type = ContentTypes.parse(file.mediaType());
        return with(file).withStatus(StatusCodes.OK).withEntity(HttpEntities.create(type, file.content()));
    }

    private static HttpResponse with(WebPage.File file) {
        HttpResponse response = HttpResponse.create().addHeader(RawHeader.create("ETag", '"' + file.tag() + '"'));
        for (Map.Entry<String, String> header : WebPage.HEADERS.entrySet()) {
            response = response.addHeader(RawHeader.create(header.getKey(), header.getValue()));
        }
        return response;
    }
}
