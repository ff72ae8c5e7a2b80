package io.iwcm.cm.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.iwcm.cm.mpa.Negotiated.PeerDepths;
import io.iwcm.nic.spi.ReadDepths;
import io.iwcm.nic.wire.Endpoint;
import io.iwcm.nic.wire.Octets;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;

/** JSON as trees: what is sent is put together by hand, so that the contract and nothing else decides its form. */
final class Json {

    /** No request has a reason to be deeper. */
    private static final int DEPTH_MAX = 16;

    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private Json() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static <T> ArrayNode array(List<T> values, Function<T, ? extends JsonNode> form) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode(values.size());
        values.forEach(value -> array.add(form.apply(value)));
        return array;
    }

    static ObjectNode endpoint(Endpoint endpoint) {
        return object().put("address", endpoint.address().toString()).put("port", endpoint.port());
    }

    static ObjectNode depths(ReadDepths depths) {
        return object().put("ird", depths.ird()).put("ord", depths.ord());
    }

    static ObjectNode depths(PeerDepths depths) {
        return object().put("ird", depths.ird()).put("ord", depths.ord());
    }

    static String base64(Octets octets) {
        return Base64.getEncoder().encodeToString(octets.toBytes());
    }

    static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }

    /** @throws Refusal when it is no JSON */
    static JsonNode parse(byte[] bytes) {
        try {
            return MAPPER.readTree(bytes);
        } catch (JsonProcessingException e) {
            var at = e.getLocation();
            String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
            throw Problem.badRequest("the body is not JSON" + where + ": " + e.getOriginalMessage())
                    .refusal();
        } catch (java.io.IOException e) {
            throw new IllegalStateException("octets in memory can always be read", e);
        }
    }
}
