package dev.neurontest.internal.lease.table;

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
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;

/** The cores of this host by their names in the table. The table might contain other names, from a JVM with another logical core size. */
final class HostCores {

    private final List<NeuronCore> cores;
    private final List<String> keys;
    private final Map<String, NeuronCore> byKey = new HashMap<>();
    private final Set<Integer> given;

    /**
     * Creates the cores of a host.
     *
     * @param part the cores that can be leased
     */
    HostCores(NeuronHost host, Collection<NeuronCore> part) {
        cores = host.cores();
        given = new HashSet<>();
        for (NeuronCore core : part) {
            given.add(core.index());
        }
        keys = keys(cores);
        for (int index = 0; index < keys.size(); index++) {
            byKey.put(keys.get(index), cores.get(index));
        }
    }

    static String key(NeuronCore core) {
        StringJoiner key = new StringJoiner("+");
        for (PhysicalCore each : core.physicalCores()) {
            key.add(each.toString());
        }
        return key.toString();
    }

    static List<String> keys(Collection<NeuronCore> cores) {
        List<String> keys = new ArrayList<>();
        for (NeuronCore core : cores) {
            keys.add(key(core));
        }
        return List.copyOf(keys);
    }

    int count() {
        return given.size();
    }

    /** Returns the cores that can be leased. */
    List<NeuronCore> given() {
        return cores.stream().filter(core -> given.contains(core.index())).toList();
    }

    /** Finds a core by its name in the table; empty if this JVM groups the physical cores differently. */
    Optional<NeuronCore> core(String key) {
        return Optional.ofNullable(byKey.get(key));
    }

    /** Returns the name in the table of a core given by its number or by that name. */
    String key(String given) {
        return cores.stream()
                .filter(core -> given.equals(Integer.toString(core.index())))
                .map(HostCores::key)
                .findFirst()
                .orElse(given);
    }

    /** Returns the name of a core for people. */
    String name(String key) {
        return core(key).map(NeuronCore::name).orElse(key);
    }

    String names(Collection<String> keys) {
        return ListText.of(keys, this::name);
    }

    /** Returns the names of cores for people. Several cores are given as ranges of numbers if all are cores of this host. */
    String ranges(Collection<String> keys) {
        Set<String> named = LeaseState.physical(keys);
        List<Integer> numbers = new ArrayList<>();
        for (NeuronCore core : cores) {
            // A JVM with another logical core size might hold only a part of a core.
            if (named.removeAll(LeaseState.physical(key(core)))) {
                numbers.add(core.index());
            }
        }
        return numbers.size() > 1 && named.isEmpty() ? "cores " + RangeText.of(numbers) : names(keys);
    }

    BitSet all() {
        BitSet all = new BitSet();
        for (int index : given) {
            all.set(index);
        }
        return all;
    }

    /** Returns the indices of the free cores. */
    BitSet free(Set<String> taken, Set<String> devicesToAvoid) {
        BitSet free = new BitSet();
        for (int index = 0; index < keys.size(); index++) {
            String device = cores.get(index).device().name();
            free.set(
                    index,
                    given.contains(index)
                            && !devicesToAvoid.contains(device)
                            && Collections.disjoint(taken, LeaseState.physical(keys.get(index))));
        }
        return free;
    }

    Quarantine quarantine(LeaseState.QuarantineEntry entry) {
        return new Quarantine(
                name(entry.core()),
                entry.description(),
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

    /** Returns a line for each neighbour of a lease. */
    List<String> lines(List<LeaseState.EndedLease> neighbours) {
        List<String> lines = new ArrayList<>();
        for (LeaseState.EndedLease other : neighbours) {
            lines.add("%s (pid %s) on %s".formatted(other.holder(), other.pid(), names(other.cores())));
        }
        return List.copyOf(lines);
    }
}
