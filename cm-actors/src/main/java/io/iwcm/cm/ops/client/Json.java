package io.iwcm.cm.ops.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, texts, numbers and booleans, in the order in which it came. */
final class Json {

    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /**
     * One document.
     *
     * @throws IOException when it is none
     */
    static Object read(String text) throws IOException {
        try (JsonParser parser = FACTORY.createParser(text)) {
            parser.nextToken();
            return value(parser);
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, Object> fields = new LinkedHashMap<>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                fields.put(name, value(parser));
            }
            return fields;
        }
        if (token == JsonToken.START_ARRAY) {
            List<Object> items = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) items.add(value(parser));
            return items;
        }
        if (token == null) throw new IOException("the document ends early");
        if (token.isNumeric()) return parser.getNumberValue();
        if (token.isBoolean()) return parser.getBooleanValue();
        return parser.getText();
    }

    /** On one line. */
    static String write(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            write(generator, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // A StringWriter throws none.
        }
        return text.toString();
    }

    private static void write(JsonGenerator generator, Object value) throws IOException {
        switch (value) {
            case Map<?, ?> fields -> {
                generator.writeStartObject();
                for (Map.Entry<?, ?> field : fields.entrySet()) {
                    generator.writeFieldName(String.valueOf(field.getKey()));
                    write(generator, field.getValue());
                }
                generator.writeEndObject();
            }
            case List<?> items -> {
                generator.writeStartArray();
                for (Object item : items) write(generator, item);
                generator.writeEndArray();
            }
            case Number number -> generator.writeNumber(number.toString());
            case Boolean flag -> generator.writeBoolean(flag);
            default -> generator.writeString(String.valueOf(value));
        }
    }
}
