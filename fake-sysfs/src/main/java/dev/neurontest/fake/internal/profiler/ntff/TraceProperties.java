package dev.neurontest.fake.internal.profiler.ntff;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Additional properties in a trace of the stand-in, as lines of {@code name=value}. The genuine tool derives them from millions of
 * records.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TraceProperties {

    private static final List<String> NUMBERS = List.of("rank", "device", "dropped", "start-up", "base");
    private static final String FRACTION = "throttle";

    private final Map<String, String> values = new LinkedHashMap<>();

    /**
     * Parses the format of {@link #toString}.
     *
     * @throws IOException if a number is invalid
     */
    static TraceProperties parse(String text) throws IOException {
        TraceProperties properties = new TraceProperties();
        for (String line : text.split("\n")) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                properties.values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        properties.checkNumbers();
        return properties;
    }

    private void checkNumbers() throws IOException {
        try {
            boolean all = NUMBERS.stream().allMatch(name -> number(name, 0) >= 0);
            if (all && fraction(FRACTION) >= 0 && fraction(FRACTION) <= 1) {
                return;
            }
        } catch (NumberFormatException wrong) {
            // Handled below like a number that is out of range.
        }
        throw new IOException("the stand-in wrote no such properties");
    }

    /**
     * Adds a property.
     *
     * @return this object
     */
    public TraceProperties with(String name, Object value) {
        values.put(name, value.toString());
        return this;
    }

    /**
     * Returns a property.
     *
     * @param otherwise the result if it is missing
     */
    public String get(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    /**
     * Returns a numeric property.
     *
     * @param otherwise the result if it is missing
     */
    public long number(String name, long otherwise) {
        String value = values.get(name);
        return value == null ? otherwise : Long.parseLong(value);
    }

    /**
     * Returns a property that is a fraction.
     *
     * @return the value; 0 if it is missing
     */
    public double fraction(String name) {
        String value = values.get(name);
        return value == null ? 0 : Double.parseDouble(value);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        values.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\n'));
        return text.toString();
    }
}
