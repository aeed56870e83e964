package dev.neurontest.internal.samples;

import dev.neurontest.baseline.SampleDoubt;
import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.text.VisibleText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The content of a result: its series by name, its conditions, and the reasons to doubt all of it. */
final class ResultContent {

    /** Maximum number of conditions, because they are part of a baseline. */
    private static final int MOST_CONDITIONS = 32;

    private final Map<String, Supplier<Series>> series = new LinkedHashMap<>();
    private final SortedMap<String, String> conditions = new TreeMap<>();
    private final List<SampleDoubt> doubts = new ArrayList<>();

    /** Adds a series. It is read only if it is requested. */
    ResultContent with(String name, Supplier<Series> read) {
        if (series.put(name, read) != null) {
            series.put(
                    name,
                    () -> read.get()
                            .incomplete("two entries have the name %s, so its value is unknown".formatted(name)));
        }
        return this;
    }

    /** Adds the conditions among the members of an object. Members that are absent or null are no conditions. */
    ResultContent conditions(Map<String, Object> members, String... names) {
        for (String name : names) {
            ResultJson.text(members.get(name)).ifPresent(value -> condition(name, value));
        }
        return this;
    }

    /** Adds a condition of the run. Two of one name become one, because both must be equal in other runs. */
    void condition(String name, String value) {
        conditions.merge(
                identified(name),
                identified(value),
                (one, other) -> one.equals(other) ? one : "%s, %s".formatted(one, other));
        if (conditions.size() > MOST_CONDITIONS) {
            throw new JsonException("has more than %s conditions".formatted(MOST_CONDITIONS));
        }
    }

    /** Returns a text for a stack. A shortened one gets a hash, because texts with the same beginning differ. */
    private static String identified(String text) {
        String shortened = ResultJson.shortened(text);
        return shortened.equals(VisibleText.line(text))
                ? shortened
                : "%s (hash %08x)".formatted(shortened, text.hashCode());
    }

    ResultContent incomplete(String reason) {
        doubts.add(new SampleDoubt(SampleDoubt.Kind.INCOMPLETE, reason));
        return this;
    }

    ResultContent failed(String reason) {
        doubts.add(new SampleDoubt(SampleDoubt.Kind.FAILED, reason));
        return this;
    }

    Map<String, Supplier<Series>> series() {
        return series;
    }

    SortedMap<String, String> conditions() {
        return conditions;
    }

    List<SampleDoubt> doubts() {
        return doubts;
    }
}
