package io.iwcm.cm.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** What a request is answered with when all is well. */
sealed interface Answer {

    /** A value. */
    record Value(JsonNode json) implements Answer {}

    /**
     * Something has been made.
     *
     * @param location its path
     */
    record Made(JsonNode json, String location) implements Answer {}

    /** Done. */
    record Done() implements Answer {}

    /** A text of its route's type. */
    record Text(byte[] text) implements Answer {}

    /** It is not so: a value under status 503. */
    record NotReady(JsonNode json) implements Answer {}

    /** Text without an end. */
    record Stream(Source<ByteString, NotUsed> source) implements Answer {}

    /** Nothing, where an optional is empty. */
    static Answer valueOr(Optional<? extends JsonNode> json, Problem otherwise) {
        return new Value(json.orElseThrow(otherwise::refusal));
    }
}
