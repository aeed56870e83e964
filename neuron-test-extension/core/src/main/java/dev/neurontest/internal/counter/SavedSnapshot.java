package dev.neurontest.internal.counter;

import dev.neurontest.counter.Counter;
import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterField;
import dev.neurontest.counter.CounterPlace;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.counter.Movement;
import dev.neurontest.device.DriverVersion;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.counter.tree.CounterNames;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.internal.text.CountText;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A snapshot of the counters of a host that can be saved to a file and compared later.
 *
 * @param host name of the host in messages
 * @param instance instance type; empty if unknown
 * @param driver version of the kernel module; empty if unknown
 * @param taken time of the snapshot, by the clock of the program
 * @param values values of the readable files
 * @param unreadable reasons for unreadable files and for places where errors could be missed, one sentence each
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record SavedSnapshot(
        String host,
        String instance,
        String driver,
        Instant taken,
        Map<Counter, BigInteger> values,
        List<String> unreadable) {

    private static final int VERSION = 1;
    private static final int SHOWN = 4;
    private static final String KIND = "neuron-counter-snapshot";

    /** Creates a snapshot with copies of the collections. */
    public SavedSnapshot {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        unreadable = List.copyOf(unreadable);
    }

    /**
     * Reads the counters of all cores and devices.
     *
     * @param now time to store in the snapshot
     * @throws NeuronSysfsException when the counters of the host cannot be listed
     */
    public static SavedSnapshot of(NeuronHost host, Instant now) {
        CounterSnapshot snapshot = CounterSnapshot.of(new CounterScopes(host).wholeHost());
        CounterScope scope = snapshot.scope();
        Map<Counter, BigInteger> values = new LinkedHashMap<>();
        for (int position = 0; position < scope.size(); position++) {
            if (snapshot.isRead(position)) {
                values.put(scope.counter(position), Movement.unsigned(snapshot.bits(position)));
            }
        }
        return new SavedSnapshot(
                host.tree().name(),
                host.instanceType().orElse(""),
                host.driverVersion().map(DriverVersion::toString).orElse(""),
                now,
                values,
                Stream.concat(
                                snapshot.unreadable().stream().map(failure -> String.valueOf(failure.getMessage())),
                                scope.doubts().stream())
                        .toList());
    }

    /**
     * Compares this snapshot with a later one: totals, plain values and peaks. Counters are matched by name and not by location,
     * because drivers use different locations. Counters in only one snapshot are omitted.
     *
     * @return the changes, in the order of this snapshot
     */
    public List<CounterChange> until(SavedSnapshot later) {
        List<CounterChange> changes = new ArrayList<>();
        Map<Counter, BigInteger> laterByName = later.byName();
        byName().forEach((counter, before) -> {
            BigInteger after = laterByName.get(counter);
            if (after != null && !after.equals(before) && counter.field() != CounterField.PRESENT) {
                changes.add(CounterChange.of(counter, counter.toString(), before.longValue(), after.longValue()));
            }
        });
        return changes;
    }

    /**
     * Returns the values by canonical name. Drivers use different locations for the same counter, and documentation uses other
     * names for some.
     */
    private Map<Counter, BigInteger> byName() {
        Map<Counter, BigInteger> named = new LinkedHashMap<>();
        values.forEach((counter, value) -> named.putIfAbsent(
                new Counter(counter.place(), CounterNames.canonical(counter.path()), counter.field()), value));
        return named;
    }

    /** Returns the difference as text: the changes, and the reasons why the comparison may be invalid. */
    public String compare(SavedSnapshot later) {
        StringBuilder text = new StringBuilder("Counters of %s from %s to %s\n".formatted(host, taken, later.taken));
        text.append('\n').append(CounterText.table(until(later), CounterText::remark, CounterText.WIDE));
        doubts(later).forEach(doubt -> text.append('\n').append(doubt).append('\n'));
        return text.toString();
    }

    private List<String> doubts(SavedSnapshot later) {
        List<String> doubts = new ArrayList<>();
        if (!host.equals(later.host) || !instance.equals(later.instance)) {
            doubts.add("They are of different hosts, %s and %s: the differences are meaningless."
                    .formatted(name(), later.name()));
        }
        if (!driver.equals(later.driver)) {
            doubts.add("The driver changed from %s to %s: it was reloaded, and its counters started at 0."
                    .formatted(driver, later.driver));
        }
        Stream.concat(unreadable.stream(), later.unreadable.stream())
                .distinct()
                .limit(SHOWN)
                .forEach(doubts::add);
        if (Duration.between(taken, later.taken).isNegative()) {
            doubts.add("The first was taken after the second: is the order right?");
        }
        Set<Counter> first = byName().keySet();
        Set<Counter> second = later.byName().keySet();
        long missing =
                first.stream().filter(counter -> !second.contains(counter)).count();
        long appeared =
                second.stream().filter(counter -> !first.contains(counter)).count();
        if (missing + appeared > 0) {
            doubts.add(
                    "%s only in the first, %s only in the second: a device vanished or appeared, or could not be read."
                            .formatted(CountText.of(missing, "counter"), appeared));
        }
        return doubts;
    }

    private String name() {
        return instance.isEmpty() ? host : host + " (" + instance + ")";
    }

    /**
     * Returns the snapshot as JSON, version 1:
     *
     * <pre>{@code
     * {"version": 1, "kind": "neuron-counter-snapshot", "host": "/", "instance": "trn1.2xlarge", "driver": "2.30.2.0",
     *  "taken": "2026-11-21T12:00:00Z",
     *  "counters": {"neuron0/neuron_core0": {"status/success/total": 3}, "neuron0": {"hardware/mem_ecc_uncorrected": 0}},
     *  "unreadable": ["..."]}
     * }</pre>
     *
     * <p>Counters have the file names below {@code stats} of drivers up to 2.30.2, even if this driver uses other locations.
     * Numbers are exact and may need 64 bits without a sign.
     *
     * @return one object with a line ending
     */
    public String toJson() {
        Map<String, Map<String, BigInteger>> counters = new LinkedHashMap<>();
        values.forEach(
                (counter, value) -> counters.computeIfAbsent(counter.place().toString(), none -> new LinkedHashMap<>())
                        .put(counter.path() + counter.field().suffix(), value));
        return RecordWriter.text(new Content(VERSION, KIND, host, instance, driver, taken, counters, unreadable))
                + "\n";
    }

    private record Content(
            int version,
            String kind,
            String host,
            String instance,
            String driver,
            Instant taken,
            Map<String, Map<String, BigInteger>> counters,
            List<String> unreadable) {}

    /**
     * Parses the JSON of {@link #toJson()}. Unknown members are ignored.
     *
     * @throws IllegalArgumentException when the text is invalid, with the reason
     */
    public static SavedSnapshot parse(String json) {
        try {
            Content read = RecordReader.OPEN.read(json.getBytes(StandardCharsets.UTF_8), KIND, VERSION, Content.class);
            Map<Counter, BigInteger> values = new LinkedHashMap<>();
            read.counters.forEach(
                    (place, files) -> files.forEach((file, value) -> values.put(counter(place, file, value), value)));
            return new SavedSnapshot(read.host, read.instance, read.driver, read.taken, values, read.unreadable);
        } catch (JsonException wrong) {
            throw new IllegalArgumentException(wrong.placed(), wrong);
        }
    }

    private static Counter counter(String place, String file, BigInteger value) {
        if (value.signum() < 0) {
            throw new IllegalArgumentException(
                    "%s of %s is %s, expected a number that is not negative".formatted(file, place, value));
        }
        CounterField field = CounterField.ofFile(file);
        return new Counter(
                CounterPlace.parse(place)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "\"%s\" is not a place, expected neuronN or neuronN/neuron_coreN".formatted(place))),
                file.substring(0, file.length() - field.suffix().length()),
                field);
    }
}
