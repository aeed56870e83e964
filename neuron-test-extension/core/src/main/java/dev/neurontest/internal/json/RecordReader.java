package dev.neurontest.internal.json;

import dev.neurontest.internal.text.NearestName;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reader of the records that {@link RecordWriter} writes. Unexpected content is refused, with its place. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RecordReader {

    /** Reader for files that people edit. It refuses unknown members, because typing errors would otherwise be ignored. */
    public static final RecordReader EXACT = new RecordReader(false, false);

    /** Reader that skips members of newer versions. */
    public static final RecordReader OPEN = new RecordReader(true, false);

    /**
     * Reader for files of any version. Missing or unexpected members are empty, zero or false. Of repeated members, the last one counts.
     */
    public static final RecordReader LENIENT = new RecordReader(true, true);

    private static final int SHOWN = 40;

    private static final Map<Class<?>, Scalar> SCALARS = new HashMap<>();

    private static final ClassValue<Map<String, Object>> CONSTANTS = new ClassValue<>() {
        @Override
        protected Map<String, Object> computeValue(Class<?> type) {
            Map<String, Object> constants = new LinkedHashMap<>();
            for (Object constant : type.getEnumConstants()) {
                constants.put(RecordWriter.name((Enum<?>) constant), constant);
            }
            return constants;
        }
    };

    private static final Map<Class<?>, Object> EMPTY = Map.of(
            String.class,
            "",
            List.class,
            List.of(),
            Map.class,
            Map.of(),
            boolean.class,
            false,
            int.class,
            0,
            long.class,
            0L,
            double.class,
            0.0,
            BigInteger.class,
            BigInteger.ZERO);

    static {
        scalar("a text", RecordReader::text, String.class);
        scalar("true or false", RecordReader::truth, boolean.class, Boolean.class);
        scalar("a whole number", RecordReader::whole, int.class, Integer.class);
        scalar("a whole number", RecordReader::large, long.class, Long.class);
        scalar("a whole number of 64 bits", RecordReader::unsigned, BigInteger.class);
        scalar("a finite number", RecordReader::number, double.class, Double.class);
        scalar("a whole number", RecordReader::duration, Duration.class);
        scalar("a time such as \"2026-11-21T02:10:00Z\"", json -> parsed(json, Instant::parse), Instant.class);
        scalar("a date such as \"2026-11-21\"", json -> parsed(json, LocalDate::parse), LocalDate.class);
        scalar("a path", json -> parsed(json, Path::of), Path.class);
        scalar("an object", RecordReader::object, JsonObject.class);
    }

    private final boolean isOpen;
    private final boolean isLenient;

    /**
     * A value without components.
     *
     * @param expected description of the value in messages
     * @param value function that returns null for other values
     */
    private record Scalar(String expected, Function<JsonParser, @Nullable Object> value) {}

    private RecordReader(boolean isOpen, boolean isLenient) {
        this.isOpen = isOpen;
        this.isLenient = isLenient;
    }

    private static void scalar(String expected, Function<JsonParser, @Nullable Object> value, Class<?>... types) {
        Arrays.asList(types).forEach(type -> SCALARS.put(type, new Scalar(expected, value)));
    }

    private record Head(String kind, int version) {}

    /**
     * Reads a file with its kind and version.
     *
     * @param content one JSON object in UTF-8, UTF-16 or UTF-32
     * @param kind the expected kind of the file
     * @param version the supported version
     * @throws JsonException when the content is unexpected; the message contains its place and the expected content
     */
    public <R extends Record> R read(byte[] content, String kind, int version, Class<R> type) {
        // Before everything else, because additions of a newer version are not mistakes.
        Head head = OPEN.read(content, Head.class);
        if (!head.kind.equals(kind)) {
            throw new JsonException("is of kind \"%s\", expected \"%s\"".formatted(head.kind, kind));
        }
        if (head.version != version) {
            throw new JsonException("is of version %s, but this reader supports %s: use the version that wrote it"
                    .formatted(head.version, version));
        }
        return read(content, type);
    }

    /**
     * Reads a file.
     *
     * @param content one JSON object in UTF-8, UTF-16 or UTF-32
     * @throws JsonException when the content is unexpected, or a member is repeated; the message contains its place and the expected
     *     content
     */
    public <R extends Record> R read(byte[] content, Class<R> type) {
        try (JsonParser json = Json.parser(content)) {
            if (json.nextToken() == null) {
                throw new JsonException("is empty, expected a JSON object");
            }
            R read = read(json, type);
            if (json.nextToken() != null) {
                throw unexpected(json, "something follows the JSON object", "the end of the file");
            }
            return read;
        } catch (JacksonException broken) {
            throw JsonException.of(broken);
        }
    }

    /**
     * Reads an object of a run file.
     *
     * @throws JsonException when the object does not match the record
     */
    public <R extends Record> R read(JsonObject object, Class<R> type) {
        try (JsonParser json = Json.parser(object.text())) {
            json.nextToken();
            return read(json, type);
        }
    }

    /**
     * Reads a part of a larger text.
     *
     * @param json a parser at the beginning of the value; it moves to the end of the value
     * @param type a record or a supported type of its components
     * @throws JsonException when the content is unexpected
     */
    public <T> T read(JsonParser json, Class<T> type) {
        Object value = type.isRecord() ? record(json, type) : value(json, type);
        return type.cast(Objects.requireNonNullElseGet(value, () -> empty(type)));
    }

    /** Creates the empty members of a record, for reading them one after the other. */
    public <R> Members<R> begin(Class<R> type) {
        return new Members<>(RecordShape.of(type));
    }

    /** The members of a record during reading. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public final class Members<R> {

        private final RecordShape shape;
        private final @Nullable Object[] arguments;
        private final Map<Integer, Members<?>> unwrapped;

        private Members(RecordShape shape) {
            this.shape = shape;
            this.arguments = new Object[shape.components().size()];
            this.unwrapped = shape.isFlat() ? Map.of() : new HashMap<>();
            for (int position = 0; position < arguments.length; position++) {
                RecordShape.Component component = shape.components().get(position);
                if (component.isUnwrapped()) {
                    unwrapped.put(position, begin(raw(component.type())));
                }
            }
        }

        /**
         * Reads a member.
         *
         * @param json a parser at the value; it moves to the end of the value
         * @return false for an unknown member, which is not read
         */
        public boolean read(String name, JsonParser json) {
            Integer position = shape.position(name);
            if (position == null) {
                return unwrapped.values().stream().anyMatch(each -> each.read(name, json));
            }
            RecordShape.Component component = shape.components().get(position);
            if (arguments[position] != null && !isLenient) {
                throw unexpected(json, "occurs twice", "it once");
            }
            if (json.currentToken() != JsonToken.VALUE_NULL || !component.isOptional()) {
                arguments[position] = value(json, component.type());
            }
            return true;
        }

        /** Sets a member that is not in the JSON. */
        public void set(String name, Object value) {
            arguments[Objects.requireNonNull(shape.position(name))] = value;
        }

        /** Checks whether a type is a supertype of the record, or the record's type. */
        public boolean isOf(Class<?> supertype) {
            return supertype.isAssignableFrom(shape.type());
        }

        /**
         * Creates the record.
         *
         * @param json a parser at the end of the object
         * @param line line at which the object begins
         * @throws JsonException when a member is missing, or the record refuses the values
         */
        @SuppressWarnings("unchecked")
        public R end(JsonParser json, int line) {
            unwrapped.forEach((position, members) -> arguments[position] = members.end(json, line));
            for (int position = 0; position < arguments.length; position++) {
                RecordShape.Component component = shape.components().get(position);
                if (arguments[position] == null) {
                    if (!isLenient && !component.isOptional()) {
                        throw new JsonException(
                                line,
                                pointer(json),
                                "has no \"%s\", expected an object with that member".formatted(component.member()),
                                null);
                    }
                    arguments[position] = raw(component.type()) == Optional.class
                            ? Optional.empty()
                            : component.isOptional() ? null : empty(raw(component.type()));
                }
            }
            try {
                return (R) shape.create(arguments);
            } catch (InvocationTargetException refused) {
                throw new JsonException(
                        line, pointer(json), String.valueOf(refused.getCause().getMessage()), refused.getCause());
            }
        }

        private List<String> names() {
            List<String> names = new ArrayList<>();
            shape.components().stream()
                    .filter(component -> !component.isUnwrapped())
                    .forEach(component -> names.add(component.member()));
            unwrapped.values().forEach(each -> names.addAll(each.names()));
            return names;
        }
    }

    private @Nullable Object record(JsonParser json, Class<?> type) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return unfit(json, "an object");
        }
        int line = line(json);
        Members<?> members = begin(type);
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            json.nextToken();
            if (!members.read(name, json)) {
                if (!isOpen) {
                    throw unexpected(json, "is unknown", nearest(name, members.names()));
                }
                json.skipChildren();
            }
        }
        return members.end(json, line);
    }

    private @Nullable Object value(JsonParser json, Type type) {
        Class<?> raw = raw(type);
        Scalar scalar = SCALARS.get(raw);
        if (scalar != null) {
            Object value = scalar.value.apply(json);
            return value == null ? unfit(json, scalar.expected) : value;
        } else if (raw == List.class) {
            return list(json, element(type, 0));
        } else if (raw == Optional.class) {
            return json.currentToken() == JsonToken.VALUE_NULL
                    ? Optional.empty()
                    : Optional.ofNullable(value(json, element(type, 0)));
        } else if (Map.class.isAssignableFrom(raw)) {
            return map(json, raw, element(type, 1));
        } else if (raw.isEnum()) {
            return constant(json, CONSTANTS.get(raw));
        }
        RecordShape shape = RecordShape.of(raw);
        if (!shape.isValue()) {
            return record(json, raw);
        }
        Members<?> members = begin(raw);
        int line = line(json);
        members.read(shape.components().get(0).member(), json);
        return members.end(json, line);
    }

    private @Nullable Object list(JsonParser json, Type element) {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            return unfit(json, "an array");
        }
        List<Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            Object value = value(json, element);
            if (value != null) {
                list.add(value);
            }
        }
        return list;
    }

    private @Nullable Object map(JsonParser json, Class<?> type, Type element) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            return unfit(json, "an object");
        }
        Map<String, Object> map = type == SortedMap.class ? new TreeMap<>() : new LinkedHashMap<>();
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            json.nextToken();
            if (map.containsKey(name) && !isLenient) {
                throw unexpected(json, "occurs twice", "it once");
            }
            Object value = value(json, element);
            if (value != null) {
                map.put(name, value);
            }
        }
        return map;
    }

    private @Nullable Object constant(JsonParser json, Map<String, Object> constants) {
        String written = text(json);
        Object constant = constants.get(written);
        return constant != null
                ? constant
                : unfit(json, written == null ? "a text" : nearest(written, constants.keySet()));
    }

    private static String nearest(String written, Collection<String> known) {
        return NearestName.of(written, known)
                .map(name -> "\"" + name + "\"")
                .orElse("one of " + String.join(", ", known));
    }

    private @Nullable Object unfit(JsonParser json, String expected) {
        if (!isLenient) {
            throw unexpected(json, "is " + shown(json), expected);
        }
        json.skipChildren();
        return null;
    }

    private Object empty(Class<?> type) {
        return type.isRecord()
                ? begin(type).end(Json.parser("{}"), 1)
                : Objects.requireNonNull(EMPTY.get(type), type::toString);
    }

    /**
     * Creates the exception for an unexpected value.
     *
     * @param json a parser at the value
     * @param problem description of the problem
     * @param expected description of the expected value
     * @return the exception, with the place
     */
    public static JsonException unexpected(JsonParser json, String problem, String expected) {
        return new JsonException(line(json), pointer(json), problem + ", expected " + expected, null);
    }

    private static int line(JsonParser json) {
        return json.currentTokenLocation().getLineNr();
    }

    private static String pointer(JsonParser json) {
        return json.streamReadContext().pathAsPointer().toString();
    }

    private static String shown(JsonParser json) {
        JsonToken token = json.currentToken();
        if (token.isStructStart()) {
            return token == JsonToken.START_OBJECT ? "an object" : "an array";
        }
        String text = json.getString();
        String shortened = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "\u2026";
        return token == JsonToken.VALUE_STRING ? "\"" + shortened + "\"" : shortened;
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
    }

    private static Type element(Type type, int position) {
        return ((ParameterizedType) type).getActualTypeArguments()[position];
    }

    private static @Nullable String text(JsonParser json) {
        return json.currentToken() == JsonToken.VALUE_STRING ? json.getString() : null;
    }

    private static @Nullable Boolean truth(JsonParser json) {
        return json.currentToken().isBoolean() ? (Boolean) json.getBooleanValue() : null;
    }

    private static boolean isWhole(JsonParser json, JsonParser.NumberType largest) {
        return json.currentToken() == JsonToken.VALUE_NUMBER_INT
                && json.getNumberType().compareTo(largest) <= 0;
    }

    private static @Nullable Integer whole(JsonParser json) {
        return isWhole(json, JsonParser.NumberType.INT) ? (Integer) json.getIntValue() : null;
    }

    private static @Nullable Long large(JsonParser json) {
        return isWhole(json, JsonParser.NumberType.LONG) ? (Long) json.getLongValue() : null;
    }

    private static @Nullable BigInteger unsigned(JsonParser json) {
        return isWhole(json, JsonParser.NumberType.BIG_INTEGER)
                        && json.getBigIntegerValue().bitLength() <= Long.SIZE
                ? json.getBigIntegerValue()
                : null;
    }

    private static @Nullable Double number(JsonParser json) {
        return json.currentToken().isNumeric() && Double.isFinite(json.getDoubleValue())
                ? (Double) json.getDoubleValue()
                : null;
    }

    private static @Nullable Duration duration(JsonParser json) {
        Long nanos = large(json);
        return nanos == null ? null : Duration.ofNanos(nanos);
    }

    private static @Nullable JsonObject object(JsonParser json) {
        return json.currentToken() == JsonToken.START_OBJECT ? JsonObject.copyOf(json) : null;
    }

    private static @Nullable Object parsed(JsonParser json, Function<String, ?> parser) {
        String text = text(json);
        try {
            return text == null ? null : parser.apply(text);
        } catch (DateTimeException | IllegalArgumentException none) {
            return null;
        }
    }
}
