package dev.neurontest.json;

import dev.neurontest.text.NearestName;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A value of a JSON text that knows where it is. There are two ways to ask. Methods without a name insist: a value that is something else says
 * where it is, what it is and what was expected. Methods with a name take what is there, of whatever version wrote it: what is not
 * there, or is something else, is empty.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class JsonValue {

    private static final byte[] NO_LINES = {};

    /** A map, a list, a text, a number that keeps every digit, a truth or null. */
    private final @Nullable Object value;

    /** All of the text, for the line of what is wrong with it. */
    private final byte[] content;

    private final @Nullable JsonValue parent;

    /** The name or the index in the parent. */
    private final Object step;

    private JsonValue(@Nullable Object value, byte[] content, @Nullable JsonValue parent, Object step) {
        this.value = value;
        this.content = content;
        this.parent = parent;
        this.step = step;
    }

    /**
     * Reads a text that is one value to its end.
     *
     * @param content JSON in UTF-8, UTF-16 or UTF-32
     * @return the value
     * @throws JsonException when it is anything else, or a member is there twice
     */
    public static JsonValue parse(byte[] content) {
        return new JsonValue(Json.tree(content), content, null, "");
    }

    /**
     * Takes an object of a line.
     *
     * @param object whatever it says
     * @return its value
     */
    public static JsonValue of(JsonObject object) {
        return new JsonValue(object.members(), NO_LINES, null, "");
    }

    private JsonValue child(Object name, @Nullable Object member) {
        return new JsonValue(member, content, this, name);
    }

    private String pointer() {
        return parent == null
                ? ""
                : parent.pointer() + "/" + step.toString().replace("~", "~0").replace("/", "~1");
    }

    /**
     * What to throw where this is not what it should be.
     *
     * @param expected what should be there
     * @return says where it is, and what it is
     */
    public JsonException unexpected(String expected) {
        return unexpected("is " + shown(), expected);
    }

    /**
     * What to throw where something is wrong with this.
     *
     * @param found what is wrong
     * @param expected what should be there
     * @return says where it is
     */
    public JsonException unexpected(String found, String expected) {
        String pointer = pointer();
        return new JsonException(Json.line(content, pointer), pointer, found + ", expected " + expected, null);
    }

    private String shown() {
        if (value instanceof Map<?, ?>) {
            return "an object";
        }
        if (value instanceof List<?>) {
            return "an array";
        }
        return value instanceof String text ? "\"" + text + "\"" : String.valueOf(value);
    }

    /**
     * The members of an object.
     *
     * @return by name, in their order
     * @throws JsonException when it is none
     */
    public Map<String, JsonValue> object() {
        if (!(value instanceof Map<?, ?> members)) {
            throw unexpected("an object");
        }
        Map<String, JsonValue> object = new LinkedHashMap<>();
        members.forEach((name, member) -> object.put((String) name, child(name, member)));
        return object;
    }

    /**
     * The members of an object without any that is not known: a typing error would be lost otherwise.
     *
     * @param known all names
     * @return this
     * @throws JsonException when there is another, or it is no object
     */
    public JsonValue onlyWith(Collection<String> known) {
        object().forEach((name, member) -> {
            if (!known.contains(name)) {
                throw member.unexpected("is unknown", nearest(name, known));
            }
        });
        return this;
    }

    private static String nearest(String written, Collection<String> known) {
        return NearestName.of(written, known)
                .map(name -> "\"" + name + "\"")
                .orElse("one of " + String.join(", ", known));
    }

    /**
     * A member that must be there.
     *
     * @param name of the member
     * @return its value
     * @throws JsonException when it is not there, or this is no object
     */
    public JsonValue get(String name) {
        if (!(value instanceof Map<?, ?>)) {
            throw unexpected("an object");
        }
        return find(name).orElseThrow(() -> unexpected("has no \"" + name + "\"", "an object with that member"));
    }

    /**
     * The elements of an array.
     *
     * @return in their order
     * @throws JsonException when it is none
     */
    public List<JsonValue> array() {
        if (value instanceof List<?>) {
            return elements().toList();
        }
        throw unexpected("an array");
    }

    private Stream<JsonValue> elements() {
        return value instanceof List<?> list
                ? IntStream.range(0, list.size()).mapToObj(index -> child(index, list.get(index)))
                : Stream.empty();
    }

    /**
     * A text.
     *
     * @return as it was written
     * @throws JsonException when it is something else
     */
    public String text() {
        if (value instanceof String text) {
            return text;
        }
        throw unexpected("a text");
    }

    /**
     * A day.
     *
     * @return such as 2026-11-21
     */
    public LocalDate date() {
        try {
            return LocalDate.parse(text());
        } catch (DateTimeException none) {
            throw unexpected("a date such as \"2026-11-21\"");
        }
    }

    /**
     * A number.
     *
     * @return the nearest one
     * @throws JsonException when it is something else, or beyond what can be held
     */
    public double number() {
        if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw unexpected(value instanceof Number ? "a finite number" : "a number");
    }

    /**
     * A number that is not negative, as every measurement is.
     *
     * @return the nearest one
     * @throws JsonException when it is something else, or beyond what can be held
     */
    public double amount() {
        if (value instanceof Number number && number.doubleValue() >= 0 && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw unexpected("a number that is not negative");
    }

    /**
     * A whole number.
     *
     * @return the number
     * @throws JsonException when it is something else, or beyond 32 bits
     */
    public int whole() {
        if (value instanceof Integer number) {
            return number;
        }
        double number = value instanceof Number ? number() : Double.NaN;
        if (number == (int) number) {
            return (int) number;
        }
        throw unexpected("a whole number");
    }

    /**
     * A whole number as counters have it.
     *
     * @return not negative
     * @throws JsonException when it is something else, or beyond 64 bits
     */
    public BigInteger unsigned() {
        if (value instanceof Number && !(value instanceof BigDecimal)) {
            BigInteger number = new BigInteger(value.toString());
            if (number.signum() >= 0 && number.bitLength() <= Long.SIZE) {
                return number;
            }
        }
        throw unexpected("a whole number of 64 bits");
    }

    /**
     * A whole number above 0.
     *
     * @return the number
     * @throws JsonException when it is something else, or beyond 32 bits
     */
    public int positive() {
        double number = amount();
        if (number >= 1 && number == (int) number) {
            return (int) number;
        }
        throw unexpected("a whole number above 0");
    }

    /**
     * True or false.
     *
     * @return which
     * @throws JsonException when it is something else
     */
    public boolean truth() {
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw unexpected("true or false");
    }

    /**
     * A text that stands for one of these.
     *
     * @param <T> what it stands for
     * @param values all of them
     * @param naming what they are called
     * @return the one that was named
     * @throws JsonException when it is something else; it names the nearest
     */
    public <T> T oneOf(T[] values, Function<T, String> naming) {
        String written = text();
        return Arrays.stream(values)
                .filter(each -> naming.apply(each).equals(written))
                .findFirst()
                .orElseThrow(() -> unexpected(
                        nearest(written, Arrays.stream(values).map(naming).toList())));
    }

    private @Nullable Object member(String name) {
        return value instanceof Map<?, ?> members ? members.get(name) : null;
    }

    /**
     * A member, whatever it is.
     *
     * @param name of the member
     * @return its value
     */
    public Optional<JsonValue> find(String name) {
        return value instanceof Map<?, ?> members && members.containsKey(name)
                ? Optional.of(child(name, members.get(name)))
                : Optional.empty();
    }

    /**
     * A member that is an object.
     *
     * @param name of the member
     * @return the object; one without members where there is none
     */
    public JsonValue in(String name) {
        return child(name, member(name) instanceof Map<?, ?> object ? object : Map.of());
    }

    /**
     * A member that is a text or a number.
     *
     * @param name of the member
     * @return as text
     */
    public String text(String name) {
        Object member = member(name);
        return member instanceof String || member instanceof Number ? member.toString() : "";
    }

    /**
     * A member that is a number.
     *
     * @param name of the member
     * @return with every digit
     */
    public Optional<BigDecimal> number(String name) {
        return decimal(member(name));
    }

    /**
     * The members that are numbers.
     *
     * @return by name, with every digit
     */
    public Map<String, BigDecimal> numbers() {
        Map<String, BigDecimal> numbers = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> members) {
            members.forEach((name, member) -> decimal(member).ifPresent(number -> numbers.put((String) name, number)));
        }
        return numbers;
    }

    private static Optional<BigDecimal> decimal(@Nullable Object value) {
        return value instanceof Number number ? Optional.of(new BigDecimal(number.toString())) : Optional.empty();
    }

    /**
     * The objects of a member that is an array.
     *
     * @param name of the member
     * @return in their order
     */
    public List<JsonValue> each(String name) {
        return elements(name).filter(each -> each.value instanceof Map<?, ?>).toList();
    }

    /**
     * The elements of a member that is an array.
     *
     * @param name of the member
     * @return as texts
     */
    public List<String> texts(String name) {
        return elements(name).map(each -> String.valueOf(each.value)).toList();
    }

    private Stream<JsonValue> elements(String name) {
        return find(name).stream().flatMap(JsonValue::elements);
    }
}
