package dev.neurontest.report;

import dev.neurontest.json.JsonObject;
import dev.neurontest.json.RecordReader;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A recording of kind {@code counters} as far as a report shows it. What moved, what is an error and what failed the test was decided
 * in the JVM of the test.
 *
 * @param moved the counters of the test's cores and devices that moved
 * @param foreign the counters of other cores that moved
 * @param health the devices that became unhealthy, by name
 * @param remarks changes of the host and its devices other than counts
 * @param unreadable the counters that could not be read
 * @param neighbours who else was on the devices
 * @param restarted the evidence that the counters began anew; empty where they did not
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RecordedCounters(
        List<Change> moved,
        List<Change> foreign,
        Map<String, Health> health,
        List<String> remarks,
        List<Unreadable> unreadable,
        List<String> neighbours,
        String restarted) {

    /** The kind of the recordings that can be read. */
    public static final String KIND = "counters";

    private static final String VIOLATED = "violated";

    /** A test answers for an error that it failed because of, or that it allows. */
    private static final Set<String> ANSWERS = Set.of(VIOLATED, "allowed");

    /**
     * Reads a recording. What it lacks is empty.
     *
     * @param recording of kind {@link #KIND}
     * @return its content
     */
    public static RecordedCounters of(JsonObject recording) {
        return RecordReader.LENIENT.read(recording, RecordedCounters.class);
    }

    /**
     * A device that became unhealthy.
     *
     * @param after its components that are broken
     * @param verdict violated, undecided or allowed; empty where no rule judged it
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Health(String after, String verdict) {}

    /**
     * A counter that could not be read.
     *
     * @param counter its path below {@code stats}
     * @param message the reason
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Unreadable(String counter, String message) {}

    /**
     * Returns the error counters that the test answers for.
     *
     * @return those of its own cores and devices that it failed because of, or allows
     */
    public List<Change> answered() {
        return moved.stream().filter(Change::isAnswered).toList();
    }

    /**
     * Returns the devices that became unhealthy in a test that answers for it.
     *
     * @return such as {@code neuron0}
     */
    public List<String> answeredHealth() {
        return health.keySet().stream()
                .filter(device -> ANSWERS.contains(health.get(device).verdict()))
                .toList();
    }

    /**
     * The change of one counter.
     *
     * @param place such as {@code neuron0/neuron_core1}
     * @param counter its path below {@code stats}
     * @param field total, peak or value
     * @param unit the symbol of what it counts
     * @param movement rose, fell, decreased or wrapped
     * @param before the first reading
     * @param after the second reading
     * @param delta the difference
     * @param error whether it is an error counter
     * @param text the difference in words
     * @param remark what goes with the difference; empty for a plain rise or fall
     * @param verdict violated, undecided or allowed; empty where no rule judged it
     */
    public record Change(
            String place,
            String counter,
            String field,
            String unit,
            String movement,
            BigInteger before,
            BigInteger after,
            BigInteger delta,
            boolean error,
            String text,
            String remark,
            String verdict) {

        /**
         * Returns the counter as messages name it.
         *
         * @return such as {@code neuron0/neuron_core1 status/hw_error}
         */
        public String subject() {
            return place + " " + counter + (field.equals("peak") ? "/peak" : "");
        }

        /**
         * Returns the difference with what goes with it, as the failure of the test has it.
         *
         * @return such as {@code at least +2 (decreased: written to, or driver reloaded)}
         */
        public String change() {
            return text + (remark.isEmpty() ? "" : " (" + remark + ")");
        }

        /**
         * Returns whether it is an error counter.
         *
         * @return true for an error
         */
        public boolean isError() {
            return error;
        }

        /**
         * Returns whether it is to be seen first.
         *
         * @return true for errors, and for what failed the test
         */
        public boolean isBad() {
            return error || verdict.equals(VIOLATED);
        }

        boolean isAnswered() {
            return ANSWERS.contains(verdict);
        }

        /**
         * Returns where the counter began to count the difference.
         *
         * @return 0 for one that began anew
         */
        public long start() {
            return movement.equals("decreased") ? 0 : before.longValue();
        }
    }
}
