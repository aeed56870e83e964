package dev.neurontest.internal.counter;

import dev.neurontest.counter.Counter;
import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.UnreadableCounter;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.RecordReader;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A recording of kind {@code counters}, whose JSON {@link CounterDiff#toJson()} documents. What moved, what is an error and what failed
 * the test is decided in the JVM of the test.
 *
 * @param version of the shape
 * @param kind of the recording
 * @param host what messages call it
 * @param cores of the test
 * @param moved the counters of the test's cores and devices that moved
 * @param foreign the counters of other cores that moved
 * @param unreadable the counters that could not be read
 * @param settled whether the counters came to rest
 * @param settlingMillis how long that took
 * @param deferredBy processes whose counts are not seen yet, by device
 * @param stillOpen processes that may count on, by device
 * @param neighbours who else was on the devices
 * @param restarted the evidence that the counters began anew; empty where they did not
 * @param remarks changes of the host and its devices other than counts
 * @param health the devices that reported other broken components, by name
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ParsedCounters(
        int version,
        String kind,
        String host,
        List<String> cores,
        List<Change> moved,
        List<Change> foreign,
        List<Unreadable> unreadable,
        boolean settled,
        long settlingMillis,
        Map<String, List<String>> deferredBy,
        Map<String, List<String>> stillOpen,
        List<String> neighbours,
        String restarted,
        Optional<List<String>> remarks,
        Optional<Map<String, Health>> health) {

    /** The kind of these recordings. */
    public static final String KIND = "counters";

    private static final int VERSION = 2;

    private static final String VIOLATED = "violated";

    /** A test answers for an error that it failed because of, or that it allows. */
    private static final Set<String> ANSWERS = Set.of(VIOLATED, "allowed");

    /**
     * Reads a recording. What it lacks is empty.
     *
     * @param recording of kind {@link #KIND}
     * @return its content
     */
    public static ParsedCounters of(JsonObject recording) {
        return RecordReader.LENIENT.read(recording, ParsedCounters.class);
    }

    public static ParsedCounters of(CounterDiff diff) {
        return new ParsedCounters(
                VERSION,
                diff.kind(),
                diff.scope().tree().name(),
                diff.cores(),
                diff.moved().stream().map(change -> Change.of(change, diff)).toList(),
                diff.foreign().stream().map(change -> Change.of(change, diff)).toList(),
                diff.unreadable().stream().map(Unreadable::of).toList(),
                diff.settled(),
                diff.settlement().waited().toMillis(),
                byName(diff.deferring()),
                byName(diff.openDevices()),
                diff.neighbours(),
                diff.restart().orElse(""),
                Optional.of(CounterText.ofHost(diff)).filter(remarks -> !remarks.isEmpty()),
                health(diff));
    }

    private static Map<String, List<String>> byName(Map<Integer, List<String>> byDevice) {
        Map<String, List<String>> processes = new LinkedHashMap<>();
        byDevice.forEach((device, owners) -> processes.put("neuron" + device, owners));
        return processes;
    }

    private static Optional<Map<String, Health>> health(CounterDiff diff) {
        Map<String, Health> health = new LinkedHashMap<>();
        diff.healthChanges()
                .forEach((device, change) -> health.put(
                        device,
                        new Health(
                                change.before(),
                                change.after(),
                                diff.healthVerdict(device).map(ParsedCounters::lower))));
        return Optional.of(health).filter(changes -> !changes.isEmpty());
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static boolean isAnswered(Optional<String> verdict) {
        return verdict.filter(ANSWERS::contains).isPresent();
    }

    /**
     * A device that reported other broken components.
     *
     * @param before its components that were broken
     * @param after its components that are broken
     * @param verdict violated, undecided or allowed; empty where no rule judged it
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Health(String before, String after, Optional<String> verdict) {}

    /**
     * A counter that could not be read.
     *
     * @param place such as {@code neuron0/neuron_core1}
     * @param counter its path below {@code stats}
     * @param field total, peak or value
     * @param moment before or after
     * @param location of its file
     * @param content of its file; empty where that could not be read
     * @param message the reason
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Unreadable(
            String place,
            String counter,
            String field,
            String moment,
            String location,
            Optional<String> content,
            String message) {

        private static Unreadable of(UnreadableCounter unreadable) {
            Counter counter = unreadable.counter();
            return new Unreadable(
                    counter.place().toString(),
                    counter.path(),
                    lower(counter.field()),
                    unreadable.moment(),
                    unreadable.cause().location(),
                    Optional.ofNullable(unreadable.cause().content()),
                    String.valueOf(unreadable.cause().getMessage()));
        }
    }

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
        return health.orElse(Map.of()).entrySet().stream()
                .filter(device -> isAnswered(device.getValue().verdict()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * The change of one counter.
     *
     * @param place such as {@code neuron0/neuron_core1}
     * @param counter its path below {@code stats}
     * @param field total, peak or value
     * @param unit the symbol of what it counts
     * @param kind of counter
     * @param movement rose, fell, decreased or wrapped
     * @param error whether it is an error counter
     * @param before the first reading
     * @param after the second reading
     * @param delta the difference
     * @param text the difference in words
     * @param remark what goes with the difference; empty for a plain rise or fall
     * @param location of its file
     * @param attribution shared for a counter of a device that others used; else empty
     * @param verdict violated, undecided or allowed; empty where no rule judged it
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Change(
            String place,
            String counter,
            String field,
            String unit,
            String kind,
            String movement,
            boolean error,
            BigInteger before,
            BigInteger after,
            BigInteger delta,
            String text,
            String remark,
            String location,
            Optional<String> attribution,
            Optional<String> verdict) {

        private static Change of(CounterChange change, CounterDiff diff) {
            Counter counter = change.counters().get(0);
            return new Change(
                    counter.place().toString(),
                    counter.path(),
                    lower(counter.field()),
                    change.unit().symbol(),
                    lower(change.kind()),
                    lower(change.movement()),
                    change.isError(),
                    change.before(),
                    change.after(),
                    change.delta(),
                    CounterText.rounded(change),
                    CounterText.remark(change, diff),
                    change.locations().get(0),
                    diff.isShared(change) ? Optional.of("shared") : Optional.empty(),
                    diff.verdict(change).map(ParsedCounters::lower));
        }

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
         * Returns whether it is to be seen first.
         *
         * @return true for errors, and for what failed the test
         */
        public boolean isBad() {
            return error || verdict.equals(Optional.of(VIOLATED));
        }

        boolean isAnswered() {
            return ParsedCounters.isAnswered(verdict);
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
