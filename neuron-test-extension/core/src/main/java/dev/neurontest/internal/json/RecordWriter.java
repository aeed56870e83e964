package dev.neurontest.internal.json;

import dev.neurontest.internal.text.DurationText;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.io.NumberOutput;

/**
 * Writer of records as JSON objects. Each component is a member. Null and empty optionals are omitted, the name of a duration ends in
 * {@code Nanos}, and enum constants are in lower case. A record of one component within another record is written as that component.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RecordWriter {

    private static final int LONGEST_PLAIN_NUMBER = 25;

    /** Largest number up to which doubles represent every whole number. */
    private static final double WHOLE = 1L << 53;

    /** Initial length of a text; that of most lines of a run file. */
    private static final int SHORT = 512;

    private final JsonGenerator json;
    private final @Nullable BinaryOperator<String> texts;

    /** Creates a writer. */
    public RecordWriter(JsonGenerator json) {
        this(json, null);
    }

    /**
     * Creates a writer that changes texts.
     *
     * @param texts receives a text and its key in a map or JSON object; the key is empty for all other texts. Null to change none
     */
    private RecordWriter(JsonGenerator json, @Nullable BinaryOperator<String> texts) {
        this.json = json;
        this.texts = texts;
    }

    /** Writes a record as text. */
    public static String text(Record value) {
        return text(value, Set.of(), null);
    }

    /**
     * Writes a record as text.
     *
     * @param without names of omitted components
     * @param texts receives a text and its key in a map or JSON object; the key is empty for all other texts. Null to change none
     */
    public static String text(Record value, Set<String> without, @Nullable BinaryOperator<String> texts) {
        StringWriter text = new StringWriter(SHORT);
        try (JsonGenerator json = Json.generator(text)) {
            json.writeStartObject();
            new RecordWriter(json, texts).members(value, without);
            json.writeEndObject();
        }
        return Json.withoutHalves(text.toString());
    }

    /**
     * Writes a list as text.
     *
     * @param texts receives an empty text and a text of the list
     */
    public static String text(List<String> values, BinaryOperator<String> texts) {
        StringWriter text = new StringWriter(SHORT);
        try (JsonGenerator json = Json.generator(text)) {
            new RecordWriter(json, texts).value(values);
        }
        return Json.withoutHalves(text.toString());
    }

    /**
     * Writes a record for people, over several lines, because a review then shows only the changes. Objects and
     * arrays that contain an object have a line for each member or element; all others are on one line. The last line ends with a line feed.
     */
    public static String lines(Record value) {
        try (JsonParser json = Json.parser(text(value))) {
            json.nextToken();
            return lines(json, "\n") + "\n";
        }
    }

    private static String lines(JsonParser json, String indent) {
        if (!json.currentToken().isStructStart()) {
            return json.currentToken() == JsonToken.VALUE_STRING
                    ? Json.text(text -> text.writeString(json.getString()))
                    : json.getString();
        }
        boolean isObject = json.currentToken() == JsonToken.START_OBJECT;
        List<String> parts = new ArrayList<>();
        while (!json.nextToken().isStructEnd()) {
            String name = "";
            if (isObject) {
                name = Json.text(text -> text.writeString(json.currentName())) + ": ";
                json.nextToken();
            }
            parts.add(name + lines(json, indent + "  "));
        }
        boolean isPlain = parts.stream().noneMatch(part -> part.endsWith("}") || part.contains("\n"));
        String begin = isObject ? "{" : "[";
        String end = isObject ? "}" : "]";
        return isPlain
                ? begin + String.join(", ", parts) + end
                : begin + indent + "  " + String.join("," + indent + "  ", parts) + indent + end;
    }

    /** Writes a record as an object. */
    public void object(Record value) {
        json.writeStartObject();
        members(value, Set.of());
        json.writeEndObject();
    }

    /**
     * Writes the members of a record into an open object.
     *
     * @param without names of omitted components
     */
    public void members(Record value, Set<String> without) {
        for (RecordShape.Component component : RecordShape.of(value.getClass()).components()) {
            Object member = without.contains(component.member()) ? null : component.value(value);
            if (member == null) {
                continue;
            }
            if (component.isUnwrapped()) {
                members((Record) member, without);
            } else {
                json.writeName(component.member());
                value(member);
            }
        }
    }

    /**
     * Writes a value.
     *
     * @param value the value of a component. A type without a form in JSON is written as its text; lists are written element by
     *     element
     */
    public void value(@Nullable Object value) {
        if (value instanceof String text) {
            json.writeString(changed("", text));
        } else if (value instanceof Double number) {
            number(number);
        } else if (value instanceof BigInteger number) {
            json.writeNumber(number);
        } else if (value instanceof Number number) {
            json.writeNumber(number.longValue());
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Duration duration) {
            json.writeNumber(DurationText.nanos(duration));
        } else if (value instanceof Enum<?> constant) {
            json.writeString(name(constant));
        } else if (value instanceof JsonObject object) {
            // Most objects remain unchanged. Checking their whole text first saves parsing them.
            boolean same = texts == null || texts.apply("", object.text()).equals(object.text());
            json.writeRawValue((same ? object : object.withTexts(texts)).text());
        } else if (value instanceof Path path) {
            json.writeString(changed("", path.toString()));
        } else if (value instanceof Iterable<?> elements) {
            json.writeStartArray();
            for (Object element : elements) {
                value(element);
            }
            json.writeEndArray();
        } else if (value instanceof Map<?, ?> members) {
            json.writeStartObject();
            for (Map.Entry<?, ?> member : members.entrySet()) {
                String name = member.getKey() instanceof Enum<?> constant ? name(constant) : (String) member.getKey();
                json.writeName(name);
                value(member.getValue() instanceof String text ? changed(name, text) : member.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof Record whole) {
            RecordShape shape = RecordShape.of(whole.getClass());
            if (shape.isValue()) {
                value(shape.components().get(0).value(whole));
            } else {
                object(whole);
            }
        } else if (value instanceof Optional<?> optional) {
            value(optional.orElse(null));
        } else if (value == null) {
            json.writeNull();
        } else {
            json.writeString(changed("", value.toString()));
        }
    }

    private String changed(String name, String text) {
        return texts == null ? text : texts.apply(name, text);
    }

    static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Writes the shortest digits that parse to the same number. Double.toString does not always do that before JDK 19. */
    private void number(double number) {
        if (number == Math.rint(number) && Math.abs(number) <= WHOLE) {
            json.writeNumber((long) number);
        } else if (Double.isFinite(number)) {
            String shortest = NumberOutput.toString(number, true);
            String plain = new BigDecimal(shortest).stripTrailingZeros().toPlainString();
            json.writeNumber(plain.length() <= LONGEST_PLAIN_NUMBER ? plain : shortest);
        } else {
            json.writeNumber(number);
        }
    }
}
