package dev.neurontest.fake.internal.profiler.call;

import dev.neurontest.fake.internal.files.ResourceLines;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** Measurements of a genuine tool: counts, bytes, and times in picoseconds. Everything else follows from them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Work {

    /** The measurements that there are; the first is what a NEFF has that says nothing. */
    public static final List<String> NAMES = List.of("model", "vector", "transpose");

    private static final double PICOSECONDS = 1e12;

    private final Map<String, Long> values;

    private Work(Map<String, Long> values) {
        this.values = values;
    }

    /**
     * Reads measurements.
     *
     * @param name one of {@link #NAMES}
     * @return what was measured
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

    /**
     * Whether a metric is a time.
     *
     * @param metric its name
     * @return true for picoseconds
     */
    public static boolean isTime(String metric) {
        return metric.endsWith("_time");
    }

    /**
     * Whether something was measured.
     *
     * @param metric its name
     * @return true when it was
     */
    public boolean has(String metric) {
        return values.containsKey(metric);
    }

    /**
     * What was measured.
     *
     * @param metric its name
     * @return 0 for what was not measured
     */
    public long get(String metric) {
        return values.getOrDefault(metric, 0L);
    }

    /**
     * How long an execution takes.
     *
     * @return picoseconds
     */
    public long totalTime() {
        return get("total_time");
    }

    /**
     * Reads a list that lies beside this class.
     *
     * @param resource the name of the file
     * @return its lines without comments
     */
    public static List<String> lines(String resource) {
        return ResourceLines.of(Work.class, resource);
    }
}
