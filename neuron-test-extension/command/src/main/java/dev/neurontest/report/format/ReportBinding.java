package dev.neurontest.report.format;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonJson;
import dev.neurontest.evidence.TestId;
import dev.neurontest.json.Json;
import dev.neurontest.json.JsonObject;
import dev.neurontest.report.ReportedTest;
import dev.neurontest.report.ShardAttempt;
import dev.neurontest.report.TestOutcome;
import dev.neurontest.text.DurationText;
import java.io.Writer;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.jr.ob.JSON;
import tools.jackson.jr.ob.JacksonJrExtension;
import tools.jackson.jr.ob.api.ExtensionContext;
import tools.jackson.jr.ob.api.ReaderWriterProvider;
import tools.jackson.jr.ob.api.ValueReader;
import tools.jackson.jr.ob.api.ValueWriter;
import tools.jackson.jr.ob.impl.JSONReader;
import tools.jackson.jr.ob.impl.JSONWriter;

/**
 * The binding of the records of a report to JSON. A component is a member, in their order; what is empty or null is left out, the name of a
 * duration ends in {@code Nanos}, constants are in lower case, and a test has the members of its id. What is read keeps its type: a text is
 * never taken for a number.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReportBinding extends ReaderWriterProvider {

    static final JSON RECORDS = JSON.builder()
            .register(new JacksonJrExtension() {
                @Override
                protected void register(ExtensionContext context) {
                    context.insertProvider(new ReportBinding());
                }
            })
            .build();

    private final Map<Class<?>, ValueReader> readers = Map.of(
            String.class, reader(String.class, "a text", JsonToken.VALUE_STRING, JsonParser::getString),
            int.class, reader(Integer.class, "a whole number", JsonToken.VALUE_NUMBER_INT, JsonParser::getIntValue),
            Integer.class, reader(Integer.class, "a whole number", JsonToken.VALUE_NUMBER_INT, JsonParser::getIntValue),
            long.class, reader(Long.class, "a whole number", JsonToken.VALUE_NUMBER_INT, JsonParser::getLongValue),
            Instant.class,
                    reader(
                            Instant.class,
                            "a time such as 2026-11-21T02:10:00Z",
                            JsonToken.VALUE_STRING,
                            ReportBinding::instant),
            TestOutcome.class,
                    reader(
                            TestOutcome.class,
                            "one of " + Arrays.toString(TestOutcome.values()),
                            JsonToken.VALUE_STRING,
                            ReportBinding::outcome),
            JsonObject.class, reader(JsonObject.class, "an object", JsonToken.START_OBJECT, JsonObject::copyOf));

    /** Records whose members are those of the record that holds them. */
    private static final Set<Class<?>> UNWRAPPED = Set.of(TestId.class, ReportedTest.class, ShardAttempt.class);

    private static final Map<Class<?>, List<RecordComponent>> COMPONENTS = new ConcurrentHashMap<>();

    private ReportBinding() {}

    /**
     * Writes a record. A list of any size is written element by element.
     *
     * @param value a record
     * @param out where to; it is left open
     */
    public static void write(Record value, Writer out) {
        // Never closed: that would close the writer, too.
        JsonGenerator json = Json.generator(out);
        RECORDS.write(value, json);
        json.flush();
    }

    @Override
    public @Nullable ValueReader findValueReader(JSONReader context, Class<?> type) {
        return readers.get(type);
    }

    @Override
    public @Nullable ValueWriter findValueWriter(JSONWriter context, Class<?> type) {
        return type.isRecord() || type == Instant.class || type == JsonObject.class
                ? new ValueWriter() {
                    @Override
                    public void writeValue(JSONWriter values, JsonGenerator json, Object value) {
                        write(values, json, value);
                    }

                    @Override
                    public Class<?> valueType() {
                        return type;
                    }
                }
                : null;
    }

    private static void write(JSONWriter values, JsonGenerator json, Object value) {
        if (value instanceof Comparison comparison) {
            json.writeRawValue(ComparisonJson.write(comparison));
        } else if (value instanceof JsonObject) {
            json.writeRawValue(value.toString());
        } else if (value instanceof Record) {
            json.writeStartObject();
            members(values, json, value);
            json.writeEndObject();
        } else {
            json.writeString(value.toString());
        }
    }

    private static void members(JSONWriter values, JsonGenerator json, Object holder) {
        for (RecordComponent component : COMPONENTS.computeIfAbsent(holder.getClass(), ReportBinding::components)) {
            Object value = value(component, holder);
            if (value == null) {
                continue;
            }
            if (UNWRAPPED.contains(value.getClass())) {
                members(values, json, value);
            } else if (value instanceof Duration duration) {
                json.writeNumberProperty(component.getName() + "Nanos", DurationText.nanos(duration));
            } else if (value instanceof Enum<?> constant) {
                json.writeStringProperty(component.getName(), constant.name().toLowerCase(Locale.ROOT));
            } else if (value instanceof Path path) {
                json.writeStringProperty(component.getName(), path.toString());
            } else {
                json.writeName(component.getName());
                values.writeValue(value);
            }
        }
    }

    private static List<RecordComponent> components(Class<?> type) {
        List<RecordComponent> components = List.of(type.getRecordComponents());
        components.forEach(component -> component.getAccessor().setAccessible(true));
        return components;
    }

    private static @Nullable Object value(RecordComponent component, Object holder) {
        try {
            Object value = component.getAccessor().invoke(holder);
            return value instanceof Optional<?> optional ? optional.orElse(null) : value;
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static @Nullable Instant instant(JsonParser json) {
        try {
            return Instant.parse(json.getString());
        } catch (DateTimeException none) {
            return null;
        }
    }

    private static @Nullable TestOutcome outcome(JsonParser json) {
        return Arrays.stream(TestOutcome.values())
                .filter(outcome -> outcome.toString().equals(json.getString()))
                .findFirst()
                .orElse(null);
    }

    private static <T> ValueReader reader(
            Class<T> type, String expected, JsonToken token, Function<JsonParser, @Nullable T> value) {
        return new ValueReader(type) {
            @Override
            public @Nullable Object read(JSONReader context, JsonParser json) {
                T read = json.currentToken() == token ? value.apply(json) : null;
                if (read == null && (json.currentToken() != JsonToken.VALUE_NULL || type == Integer.class)) {
                    throw new IllegalArgumentException("has %s that is %s, expected %s"
                            .formatted(
                                    json.currentName() == null ? "an element" : "\"" + json.currentName() + "\"",
                                    json.currentToken().isScalarValue()
                                            ? "\"" + shortened(json.getString()) + "\""
                                            : "an array or an object",
                                    expected));
                }
                return read;
            }
        };
    }

    static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "\u2026";
    }
}
