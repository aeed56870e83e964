package dev.neurontest.counter;

import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.counter.ConcurrentUsers;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the counters of some cores and their devices. It is not atomic, because the driver continues to count between two
 * reads.
 *
 * <p>Reading does not clear or change a counter.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CounterSnapshot {

    private final CounterScope scope;
    private final long[] bits;
    private final Map<Integer, NeuronSysfsException> failures;
    private final HostState state;

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public CounterSnapshot(
            CounterScope scope, long[] bits, Map<Integer, NeuronSysfsException> failures, HostState state) {
        this.scope = scope;
        this.bits = bits;
        this.failures = failures;
        this.state = state;
    }

    /**
     * Reads all counters of a scope once. A file that cannot be read, or holds no number, is stored as a failure and not thrown.
     *
     * @param scope the counters to read
     * @return the readings
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static CounterSnapshot of(CounterScope scope) {
        Readings readings = new Readings(scope);
        scope.read(readings);
        return readings.complete();
    }

    /**
     * Reads some of the counters again and keeps the other readings.
     *
     * @param part the counters to read again
     * @return a snapshot with the new readings
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterSnapshot with(CounterScope.Part part) {
        Readings readings = new Readings(this, part.positions());
        part.read(readings);
        return readings.complete();
    }

    /**
     * Returns the value of a counter over the logical cores of this snapshot. Memory of a logical core is the sum over its
     * physical cores. A count of a logical core is the largest count of its physical cores. Several cores add up. Counters of
     * devices add up over the devices.
     *
     * @param name a path below {@code stats} such as {@code status/oob_error}, or its last part
     * @return the unsigned value; memory in bytes
     * @throws CounterNameException when there is no such counter, or the name is ambiguous
     * @throws NeuronSysfsException when one of its files could not be read or held no number
     */
    public BigInteger value(String name) {
        return CounterDiff.between(this, this, ConcurrentUsers.NONE)
                .counter(name)
                .after();
    }

    /**
     * Compares this snapshot with a later one.
     *
     * @param later a snapshot of the same cores
     * @return the difference
     * @throws IllegalArgumentException when the other snapshot is not of the same cores
     */
    public CounterDiff until(CounterSnapshot later) {
        return CounterDiff.between(this, later, SettleResult.NOT_ASKED_FOR, CounterDiff.deferredBy(scope));
    }

    /**
     * Returns the readings of the error counters.
     *
     * @return the value of each file, by place and path, such as {@code neuron3 hardware/mem_ecc_uncorrected}; empty for a file that could
     *     not be read, and for a place where errors could be missed
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Map<String, Optional<BigInteger>> errors() {
        Map<String, Optional<BigInteger>> errors = new LinkedHashMap<>();
        for (Section section : scope.sections()) {
            if (section.doubt().isPresent()) {
                errors.put(section.place() + " errors", Optional.empty());
            }
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
     * Returns the failures of all files that could not be read.
     *
     * @return one failure per file, in the order of the files
     */
    public List<NeuronSysfsException> unreadable() {
        return failures.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
    }

    /**
     * Returns the number of files in this snapshot.
     *
     * @return the number, failures included
     */
    public int size() {
        return bits.length;
    }

    /**
     * Checks that the given snapshot can be compared with this one.
     *
     * @param other the snapshot
     * @throws IllegalArgumentException when it is of other cores, or of other counters of the same cores
     */
    void requireSameCores(CounterSnapshot other) {
        if (scope != other.scope) {
            throw new IllegalArgumentException(
                    scope.tree() == other.scope.tree() && scope.cores().equals(other.scope.cores())
                            ? "The snapshots have different counters of %s: some appeared or disappeared between them. Look at dmesg, and take both again."
                                    .formatted(scope.where())
                            : "The snapshots are of different cores: %s and %s."
                                    .formatted(scope.where(), other.scope.where()));
        }
    }

    /**
     * Returns the scope of this snapshot.
     *
     * @return the scope of the counters that were read
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterScope scope() {
        return scope;
    }

    /**
     * Returns the 64 bits of a reading. They are valid only if {@link #isRead(int)} returns true.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public long bits(int position) {
        return bits[position];
    }

    /**
     * Returns the state of the host when the counters were read.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public HostState state() {
        return state;
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public boolean isRead(int position) {
        return !failures.containsKey(position);
    }

    @Nullable
    NeuronSysfsException failure(int position) {
        return failures.get(position);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public Map<Integer, NeuronSysfsException> failures() {
        return failures;
    }

    /**
     * Checks whether no settling counter has changed since an earlier snapshot. The same files must have failed in both.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public boolean isQuietSince(CounterSnapshot earlier) {
        for (int i = 0; i < bits.length; i++) {
            if (bits[i] != earlier.bits[i] && scope.settles(i)) {
                return false;
            }
        }
        return failures.keySet().equals(earlier.failures.keySet());
    }

    /** A collector of file contents that any thread may call. */
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

        /** Creates a collector for some files. All other readings are taken from the given snapshot. */
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
                return "Run as root: with drivers before 2.15.9, only root can read the counters.";
            }
            return cause instanceof NoSuchFileException
                    ? "It was present when the test requested it; the device vanished or the driver was unloaded (dmesg)."
                    : "Check whether the device is still present (neuron-ls, dmesg).";
        }
    }
}
