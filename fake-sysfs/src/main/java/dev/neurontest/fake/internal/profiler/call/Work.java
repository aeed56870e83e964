package dev.neurontest.fake.internal.profiler.call;

import dev.neurontest.fake.internal.files.ResourceLines;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** Measurements of a genuine tool: counts, bytes, and times in picoseconds. All other metrics are derived from them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Work {

    /** The names of all measurements. The first applies to a NEFF that names none. */
    public static final List<String> NAMES = List.of("model", "vector", "transpose");

    private static final double PICOSECONDS = 1e12;

    private final Map<String, Long> values;

    private Work(Map<String, Long> values) {
        this.values = values;
    }

    /**
     * Reads measurements.
     *
     * @param name a name from {@link #NAMES}
     */
    public static Work named(String name) {
        Map<String, Long> values = new LinkedHashMap<>();
        for (String line : lines(name + ".work")) {
            int blank = line.indexOf(' ');
            String metric = line.substring(0, blank);
            String value = line.substring(blank + 1);
            values.put(
                    metric,
                    isTime(metric) ? Math.round(Double.parseDouble(value) * PICOSECONDS) : Long.parseLong(value));
        }
        return new Work(values);
    }

    /** Returns whether a metric is a time in picoseconds. */
    public static boolean isTime(String metric) {
        return metric.endsWith("_time");
    }

    /** Returns whether a metric was measured. */
    public boolean has(String metric) {
        return values.containsKey(metric);
    }

    /**
     * Returns the measured value of a metric.
     *
     * @return the value; 0 if it was not measured
     */
    public long get(String metric) {
        return values.getOrDefault(metric, 0L);
    }

    /** Returns the duration of an execution in picoseconds. */
    public long totalTime() {
        return get("total_time");
    }

    /**
     * Reads a resource of this package.
     *
     * @param resource name of the file
     * @return its lines without comments
     */
    public static List<String> lines(String resource) {
        return ResourceLines.of(Work.class, resource);
    }
}
