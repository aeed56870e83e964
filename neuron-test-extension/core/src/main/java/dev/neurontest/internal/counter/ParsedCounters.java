package dev.neurontest.internal.counter;

import dev.neurontest.counter.Counter;
import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.UnreadableCounter;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.judgement.Measurement;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A parsed measurement of kind {@code counters}. {@link CounterDiff#toJson()} documents its JSON. The JVM of the test decides on
 * changes, errors and violations.
 *
 * @param version version of the format
 * @param kind kind of the measurement
 * @param host name of the host in messages
 * @param cores cores of the test
 * @param moved changed counters of the test's cores and devices
 * @param foreign changed counters of other cores
 * @param unreadable the counters that could not be read
 * @param settled true if the counters settled
 * @param settlingMillis duration of the wait for that
 * @param deferredBy processes with deferred counts, by device
 * @param stillOpen processes that may continue to count, by device
 * @param neighbours other users of the devices
 * @param restarted evidence of a counter reset; empty without one
 * @param remarks changes of the host and its devices other than counts
 * @param health devices that reported other broken components, by name
 * @param cluster true for a host of a cluster; empty for the host of the JVM
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
        Optional<Map<String, Health>> health,
        Optional<Boolean> cluster) {

    /** Kind of these measurements. */
    public static final String KIND = Measurement.COUNTERS;

    private static final int VERSION = 2;

    private static final String VIOLATED = "violated";

    private static final String ALLOWED = "allowed";

    /** Reads a measurement. Missing members are empty. */
    public static ParsedCounters of(JsonObject recording) {
        return RecordReader.LENIENT.read(recording, ParsedCounters.class);
    }

    public static ParsedCounters of(CounterDiff diff) {
        return new ParsedCounters(
                VERSION,
                KIND,
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
                health(diff),
                Optional.empty());
    }

    /** Returns the name of the host of a cluster; empty for the host of the JVM. */
    public Optional<String> hostOfCluster() {
        return cluster.filter(Boolean::booleanValue).map(any -> host);
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

    private static boolean isAnswered(Optional<String> verdict, boolean failed) {
        return verdict.filter(answer -> answer.equals(ALLOWED) || failed && answer.equals(VIOLATED))
                .isPresent();
    }

    /**
     * A device that reported other broken components.
     *
     * @param before broken components before
     * @param after broken components after
     * @param verdict violated, undecided or allowed; empty if no rule judged it
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Health(String before, String after, Optional<String> verdict) {}

    /**
     * A counter that could not be read.
     *
     * @param place such as {@code neuron0/neuron_core1}
     * @param counter path of the counter below {@code stats}
     * @param field total, peak or value
     * @param moment before or after
     * @param location location of the file
     * @param content content of the file; empty if it could not be read
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
     * Returns the changed counters that the test allows, or fails because of.
     *
     * @param failed false if the test did not fail in the end; only allowed changes then count
     */
    public List<Change> answered(boolean failed) {
        return moved.stream()
                .filter(change -> isAnswered(change.verdict(), failed))
                .toList();
    }

    /**
     * Returns the devices that became unhealthy with a verdict of violated or allowed.
     *
     * @param failed false if the test did not fail in the end; only an allowed change then counts
     * @return names such as {@code neuron0}
     */
    public List<String> answeredHealth(boolean failed) {
        return health.orElse(Map.of()).entrySet().stream()
                .filter(device -> isAnswered(device.getValue().verdict(), failed))
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * The change of one counter.
     *
     * @param place such as {@code neuron0/neuron_core1}
     * @param counter path of the counter below {@code stats}
     * @param field total, peak or value
     * @param unit symbol of the counter's unit
     * @param kind kind of the counter
     * @param movement rose, fell, decreased or wrapped
     * @param error true for an error counter
     * @param before the first reading
     * @param after the second reading
     * @param delta the difference
     * @param text the difference in readable form
     * @param remark note about the difference; empty for a plain increase or decrease
     * @param location location of the file
     * @param attribution {@code shared} for a counter of a device with other users; otherwise empty
     * @param verdict violated, undecided or allowed; empty if no rule judged it
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
         * Returns the counter as shown in messages.
         *
         * @return such as {@code neuron0/neuron_core1 status/hw_error}
         */
        public String subject() {
            return place + " " + counter + (field.equals("peak") ? "/peak" : "");
        }

        /**
         * Returns the difference with its remark, as in the failure of the test.
         *
         * @return such as {@code at least +2 (decreased: written to, or driver reloaded)}
         */
        public String change() {
            return text + (remark.isEmpty() ? "" : " (" + remark + ")");
        }

        /** Returns whether the change is listed first: an error, or a violation. */
        public boolean isBad() {
            return error || verdict.equals(Optional.of(VIOLATED));
        }

        /**
         * Returns the start value of the difference.
         *
         * @return 0 for a counter that was reset
         */
        public long start() {
            return movement.equals("decreased") ? 0 : before.longValue();
        }
    }
}
