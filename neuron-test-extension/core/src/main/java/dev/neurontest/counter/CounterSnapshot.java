package dev.neurontest.counter;

import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.counter.HostState;
import dev.neurontest.internal.counter.SettleResult;
import dev.neurontest.internal.counter.tree.CounterRow;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScope.Section;
import dev.neurontest.internal.counter.tree.UnsignedDecimal;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The counters of some cores and their devices, read once. It is no atomic picture: the driver goes on between two files.
 *
 * <p>Reading clears nothing and changes nothing.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CounterSnapshot {

    private final CounterScope scope;
    private final long[] bits;
    private final Map<Integer, NeuronSysfsException> failures;
    private final HostState state;

    @API(status = API.Status.INTERNAL)
    public CounterSnapshot(
            CounterScope scope, long[] bits, Map<Integer, NeuronSysfsException> failures, HostState state) {
        this.scope = scope;
        this.bits = bits;
        this.failures = failures;
        this.state = state;
    }

    /**
     * Reads all counters of a scope once. Where a file cannot be read or holds no number, that is kept in its place; nothing is
     * thrown.
     *
     * @param scope which counters
     * @return the readings
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static CounterSnapshot of(CounterScope scope) {
        Readings readings = new Readings(scope);
        scope.read(readings);
        return readings.complete();
    }

    /**
     * Reads the error counters of a scope once, and no others.
     *
     * @param scope which counters
     * @return what each file holds, by place and path, such as {@code neuron3 hardware/mem_ecc_uncorrected}; empty for what could
     *     not be read, and for a place whose errors could go unseen
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static SortedMap<String, Optional<BigInteger>> errorsOf(CounterScope scope) {
        CounterSnapshot nothing = new CounterSnapshot(scope, new long[scope.size()], Map.of(), HostState.UNKNOWN);
        return nothing.with(scope.part(position -> {
                    Counter counter = scope.counter(position);
                    return (counter.field() == CounterField.TOTAL || counter.field() == CounterField.VALUE)
                            && CounterKind.isError(counter.path());
                }))
                .errors();
    }

    /**
     * Reads some of the counters again; the others stay as they were.
     *
     * @param part which ones
     * @return the readings
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterSnapshot with(CounterScope.Part part) {
        Readings readings = new Readings(this, part.positions());
        part.read(readings);
        return readings.complete();
    }

    /**
     * The value of a counter over the logical cores of this snapshot: memory is the sum over their physical cores, of counts a
     * logical core has the largest, and several cores add up. Counters of devices add up over the devices.
     *
     * @param name a path below {@code stats} such as {@code status/oob_error}, or its last part
     * @return the unsigned value; memory in bytes
     * @throws CounterNameException when there is no such counter, or the name is ambiguous
     * @throws NeuronSysfsException when one of its files could not be read or held no number
     */
    public BigInteger value(String name) {
        return CounterDiff.between(this, this, List.of()).counter(name).after();
    }

    /**
     * What happened between this snapshot and a later one.
     *
     * @param later a snapshot of the same cores
     * @return the difference
     * @throws IllegalArgumentException when the other snapshot is not of the same cores
     */
    public CounterDiff until(CounterSnapshot later) {
        return CounterDiff.between(this, later, SettleResult.NOT_ASKED_FOR, CounterDiff.deferredBy(scope));
    }

    private SortedMap<String, Optional<BigInteger>> errors() {
        SortedMap<String, Optional<BigInteger>> errors = new TreeMap<>();
        for (Section section : scope.sections()) {
            section.doubt().ifPresent(doubt -> errors.put(section.place() + " errors", Optional.empty()));
            for (CounterRow row : section.rows()) {
                if (row.main() >= 0 && CounterKind.isError(row.path())) {
                    int position = section.first() + row.main();
                    errors.put(
                            section.place() + " " + row.path(),
                            isRead(position) ? Optional.of(Movement.unsigned(bits[position])) : Optional.empty());
                }
            }
        }
        return errors;
    }

    /**
     * What could not be read.
     *
     * @return the failures, each of one file, in the order of the files
     */
    public List<NeuronSysfsException> unreadable() {
        return failures.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
    }

    /**
     * How many files were read.
     *
     * @return their number, failures included
     */
    public int size() {
        return bits.length;
    }

    /**
     * Refuses a snapshot that cannot be compared with this one.
     *
     * @param other the snapshot
     * @throws IllegalArgumentException when it is of other cores, or of other counters of the same cores
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public void requireSameCores(CounterSnapshot other) {
        if (scope != other.scope) {
            throw new IllegalArgumentException(
                    scope.tree() == other.scope.tree() && scope.cores().equals(other.scope.cores())
                            ? "The snapshots have different counters of %s: some appeared or are gone between them. Look at dmesg, and take both again."
                                    .formatted(scope.where())
                            : "The snapshots are of different cores: %s and %s."
                                    .formatted(scope.where(), other.scope.where()));
        }
    }

    /**
     * Which counters these are.
     *
     * @return those that were read
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterScope scope() {
        return scope;
    }

    /** Only meaningful where {@link #isRead(int)}. */
    @API(status = API.Status.INTERNAL)
    public long bits(int position) {
        return bits[position];
    }

    /** Returns the state of the host when the counters were read. */
    @API(status = API.Status.INTERNAL)
    public HostState state() {
        return state;
    }

    @API(status = API.Status.INTERNAL)
    public boolean isRead(int position) {
        return !failures.containsKey(position);
    }

    @Nullable
    NeuronSysfsException failure(int position) {
        return failures.get(position);
    }

    @API(status = API.Status.INTERNAL)
    public Map<Integer, NeuronSysfsException> failures() {
        return failures;
    }

    /** Whether everything that can be quiet reads the same, failures included. */
    @API(status = API.Status.INTERNAL)
    public boolean isQuietSince(CounterSnapshot earlier) {
        for (int i = 0; i < bits.length; i++) {
            if (bits[i] != earlier.bits[i] && scope.settles(i)) {
                return false;
            }
        }
        return failures.keySet().equals(earlier.failures.keySet());
    }

    /** Takes the files as they come, from any thread. */
    static final class Readings implements HostTree.Sink {

        private final CounterScope scope;
        private final long[] bits;
        private final int @Nullable [] positions;
        private @Nullable Map<Integer, NeuronSysfsException> failures;
        private final SortedMap<String, String> identities;
        private final SortedMap<String, String> unhealthy = new TreeMap<>();

        Readings(CounterScope scope) {
            this.scope = scope;
            this.bits = new long[scope.size()];
            this.positions = null;
            this.identities = scope.identities();
        }

        /** Readings of some files, beside what the others gave before. */
        Readings(CounterSnapshot last, int... positions) {
            this.scope = last.scope;
            this.bits = last.bits.clone();
            this.positions = positions;
            this.identities = last.state.identities();
            this.unhealthy.putAll(last.state.unhealthy());
            if (!last.failures.isEmpty()) {
                failures = new HashMap<>(last.failures);
                for (int position : positions) {
                    failures.remove(position);
                }
            }
        }

        private int position(int index) {
            return positions == null ? index : positions[index];
        }

        @Override
        public void content(int index, byte[] buffer, int length) {
            int position = position(index);
            if (position >= bits.length) {
                health(position - bits.length, new String(buffer, 0, length, StandardCharsets.UTF_8).strip());
                return;
            }
            try {
                bits[position] = UnsignedDecimal.parse(buffer, length);
            } catch (NumberFormatException e) {
                keep(
                        position,
                        NeuronSysfsException.unexpectedContent(
                                scope.location(position),
                                new String(buffer, 0, length, StandardCharsets.ISO_8859_1),
                                e.getMessage()));
            }
        }

        @Override
        public void failed(int index, IOException cause) {
            int position = position(index);
            if (position >= bits.length) {
                health(position - bits.length, CounterScope.UNREADABLE + cause.getMessage());
                return;
            }
            keep(position, NeuronSysfsException.unreadable(scope.location(position), advice(cause), cause));
        }

        synchronized CounterSnapshot complete() {
            return new CounterSnapshot(
                    scope,
                    bits,
                    failures == null ? Map.of() : Map.copyOf(failures),
                    new HostState(identities, unhealthy));
        }

        private synchronized void health(int device, String components) {
            unhealthy.put(scope.devicesWithHealth().get(device), components);
        }

        private synchronized void keep(int position, NeuronSysfsException failure) {
            if (failures == null) {
                failures = new HashMap<>();
            }
            failures.put(position, failure);
        }

        private static String advice(IOException cause) {
            if (cause instanceof AccessDeniedException) {
                return "Run as root: drivers before 2.15.9 keep their counters to root.";
            }
            return cause instanceof NoSuchFileException
                    ? "It was there when the test asked for it; the device vanished or the driver was unloaded (dmesg)."
                    : "See whether the device is still there (neuron-ls, dmesg).";
        }
    }
}
