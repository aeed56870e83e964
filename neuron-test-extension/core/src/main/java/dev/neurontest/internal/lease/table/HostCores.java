package dev.neurontest.internal.lease.table;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.PhysicalCore;
import dev.neurontest.internal.lease.DeadHolder;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.text.RangeText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The cores of this host, as the table writes them. The table may name others, of a JVM with another logical core size. */
final class HostCores {

    private final List<NeuronCore> cores;
    private final List<String> keys;
    private final Map<String, NeuronCore> byKey = new HashMap<>();
    private final Set<Integer> given;

    /**
     * Looks at a host.
     *
     * @param part what may be given out of it
     */
    HostCores(NeuronHost host, Collection<NeuronCore> part) {
        cores = host.cores();
        given = part.stream().map(NeuronCore::index).collect(toSet());
        keys = keys(cores);
        cores.forEach(core -> byKey.put(key(core), core));
    }

    static String key(NeuronCore core) {
        return core.physicalCores().stream().map(PhysicalCore::toString).collect(joining("+"));
    }

    static List<String> keys(Collection<NeuronCore> cores) {
        return cores.stream().map(HostCores::key).toList();
    }

    int count() {
        return given.size();
    }

    /** What may be given out. */
    List<NeuronCore> given() {
        return cores.stream().filter(core -> given.contains(core.index())).toList();
    }

    /** Empty when this JVM sees the physical cores in another way. */
    Optional<NeuronCore> core(String key) {
        return Optional.ofNullable(byKey.get(key));
    }

    /** Returns how the table names a core that a person gives by its number or by that name. */
    String key(String given) {
        return cores.stream()
                .filter(core -> given.equals(Integer.toString(core.index())))
                .map(HostCores::key)
                .findFirst()
                .orElse(given);
    }

    /** What a person calls it. */
    String name(String key) {
        return core(key).map(NeuronCore::name).orElse(key);
    }

    String names(Collection<String> keys) {
        return ListText.of(keys, this::name);
    }

    /** What a person calls them: several by their numbers, as far as this host has them. */
    String ranges(Collection<String> keys) {
        Set<String> named = keys.stream().flatMap(LeaseState::physical).collect(toSet());
        List<Integer> numbers = new ArrayList<>();
        for (NeuronCore core : cores) {
            // A JVM with another logical core size may have a part of a core only.
            if (named.removeAll(LeaseState.physical(key(core)).toList())) {
                numbers.add(core.index());
            }
        }
        return numbers.size() > 1 && named.isEmpty() ? "cores " + RangeText.of(numbers) : names(keys);
    }

    BitSet all() {
        BitSet all = new BitSet();
        given.forEach(all::set);
        return all;
    }

    /** The indices of the cores that are free. */
    BitSet free(Set<String> taken, Set<String> devicesToAvoid) {
        BitSet free = new BitSet();
        for (int index = 0; index < keys.size(); index++) {
            String device = cores.get(index).device().name();
            free.set(
                    index,
                    given.contains(index)
                            && !devicesToAvoid.contains(device)
                            && LeaseState.physical(keys.get(index)).noneMatch(taken::contains));
        }
        return free;
    }

    Quarantine quarantine(LeaseState.QuarantineEntry entry) {
        return new Quarantine(
                name(entry.core()),
                entry.told(),
                entry.holder(),
                entry.pid(),
                entry.since(),
                entry.until(),
                entry.device());
    }

    List<Quarantine> quarantines(Collection<LeaseState.QuarantineEntry> entries) {
        return entries.stream().map(this::quarantine).toList();
    }

    DeadHolder dead(LeaseState.Claim claim, List<ProcessIdentity> survivors) {
        return new DeadHolder(
                claim.pid(),
                claim.holder(),
                claim.cores().stream().flatMap(key -> core(key).stream()).toList(),
                claim.since(),
                survivors.stream().map(ProcessIdentity::pid).toList());
    }

    /** A line for each neighbour of a lease. */
    List<String> lines(List<LeaseState.EndedLease> neighbours) {
        return neighbours.stream()
                .map(other -> "%s (pid %s) on %s".formatted(other.holder(), other.pid(), names(other.cores())))
                .toList();
    }
}
