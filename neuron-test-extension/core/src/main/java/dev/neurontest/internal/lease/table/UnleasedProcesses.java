package dev.neurontest.internal.lease.table;

import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.internal.configuration.OtherOwnersPolicy;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The processes that have a device open and do not belong to a JVM of the table. Finding them requires a scan of all open files
 * of the host, so results are cached. The same scan finds processes started by this JVM that belong to no lease.
 */
final class UnleasedProcesses {

    /** Maximum age of a cached scan when a test requests cores. */
    static final Duration REMEMBERED = Duration.ofSeconds(1);

    private final NeuronHost host;
    private final boolean ignored;
    private final ProcessTable local;
    private final ProcessIdentity self;
    private final Supplier<List<ProcessIdentity>> members;
    private volatile Scan last = new Scan(System.nanoTime() - Long.MAX_VALUE / 2, Map.of(), Map.of(), List.of());

    /** The result of a scan, with the JVMs that shared the table at that time. */
    private record Scan(
            long at,
            Map<String, List<Owner>> owners,
            Map<String, List<ProcessOwner>> unleased,
            List<ProcessIdentity> members) {}

    /** A process and its ancestors; without ancestors if they are not visible. */
    private record Owner(ProcessOwner process, List<ProcessIdentity> ancestry) {}

    UnleasedProcesses(
            NeuronHost host, OtherOwnersPolicy setting, ProcessTable local, Supplier<List<ProcessIdentity>> members) {
        this.host = host;
        this.local = local;
        this.members = members;
        this.self = local.self();
        this.ignored = setting == OtherOwnersPolicy.IGNORE;
    }

    /**
     * Scans the open files, unless the last scan is recent. A process that belongs to a holder before or after the scan is not
     * reported, even if the holder has just released its cores. It is reported if it still has the device open at the next scan.
     */
    void scan(Duration maxAge, Supplier<LeaseState> table) {
        if (!ignored && System.nanoTime() - last.at() > maxAge.toNanos()) {
            last = scan(table);
        }
    }

    /**
     * Scans for processes that have a device open, might descend from this JVM, and belong to no lease. An earlier scan of
     * another thread is not reused.
     */
    Map<String, List<ProcessOwner>> unleased(Supplier<LeaseState> table) {
        Scan scan = scan(table);
        if (!ignored) {
            last = scan;
        }
        return scan.unleased();
    }

    private Scan scan(Supplier<LeaseState> table) {
        LeaseState before = table.get();
        List<ProcessIdentity> sharing = members.get();
        long now = System.nanoTime();
        Map<Long, List<ProcessIdentity>> ancestries = new HashMap<>();
        Map<String, List<Owner>> owners = new TreeMap<>();
        for (Map.Entry<NeuronDevice, List<ProcessOwner>> open : host.owners().entrySet()) {
            List<Owner> running = new ArrayList<>();
            for (ProcessOwner process : open.getValue()) {
                List<ProcessIdentity> ancestry = ancestries.computeIfAbsent(process.pid(), this::ancestry);
                if (!ancestry.isEmpty() || isThere(process)) {
                    running.add(new Owner(process, ancestry));
                }
            }
            owners.put(open.getKey().name(), running);
        }
        LeaseState after = table.get();
        Map<String, List<ProcessOwner>> unleased = new TreeMap<>();
        for (Map.Entry<String, List<Owner>> open : owners.entrySet()) {
            String device = open.getKey();
            unleased.put(
                    device,
                    open.getValue().stream()
                            .filter(owner -> isUnleased(before, sharing, owner) && isUnleased(after, sharing, owner))
                            .map(Owner::process)
                            .toList());
            open.getValue()
                    .removeIf(
                            owner -> belongs(before, sharing, device, owner) || belongs(after, sharing, device, owner));
        }
        return new Scan(now, owners, unleased, sharing);
    }

    private List<ProcessIdentity> ancestry(long pid) {
        return new ProcessTable(path -> host.tree().read("proc/" + path), "", "").ancestry(pid);
    }

    /** Checks whether a process still exists. It might have ended since the scan. */
    private boolean isThere(ProcessOwner process) {
        try {
            host.tree().list("proc/" + process.pid());
            return true;
        } catch (IOException ended) {
            return false;
        }
    }

    /** Checks whether a process might belong to this JVM, but to no lease. Its nearest ancestor in the table decides. */
    private boolean isUnleased(LeaseState state, List<ProcessIdentity> sharing, Owner owner) {
        long pid = owner.process().pid();
        if (owner.ancestry().isEmpty()) {
            return known(state, sharing).noneMatch(known -> known.pid() == pid);
        }
        return owner.ancestry().stream()
                .filter(process -> known(state, sharing).anyMatch(known -> same(process, known)))
                .findFirst()
                .filter(nearest -> nearest.pid() != pid && same(nearest, self))
                .isPresent();
    }

    /** Returns the processes without a lease by device, according to the last scan. */
    Map<String, List<ProcessOwner>> among(LeaseState state) {
        Map<String, List<ProcessOwner>> outside = new TreeMap<>();
        Scan scan = last;
        for (Map.Entry<String, List<Owner>> owners : scan.owners().entrySet()) {
            String device = owners.getKey();
            List<ProcessOwner> strangers = owners.getValue().stream()
                    .filter(owner -> !belongs(state, scan.members(), device, owner))
                    .map(Owner::process)
                    .toList();
            if (!strangers.isEmpty()) {
                outside.put(device, strangers);
            }
        }
        return outside;
    }

    private boolean belongs(LeaseState state, List<ProcessIdentity> sharing, String device, Owner owner) {
        long pid = owner.process().pid();
        if (known(state, sharing)
                .anyMatch(known -> owner.ancestry().isEmpty()
                        ? known.pid() == pid
                        : owner.ancestry().stream().anyMatch(process -> same(process, known)))) {
            return true;
        }
        // The owner is unknown. The process is attributed to the holder of a core of the device.
        return state.claims().stream()
                .filter(claim -> LeaseState.devices(claim.cores()).contains(device))
                .anyMatch(claim -> owner.ancestry().isEmpty() || !local.sees(claim.process()));
    }

    private static Stream<ProcessIdentity> known(LeaseState state, List<ProcessIdentity> sharing) {
        return Stream.of(
                        sharing.stream(),
                        state.claims().stream().map(LeaseState.Claim::process),
                        state.claims().stream().flatMap(claim -> claim.processes().stream()),
                        state.barred().stream().flatMap(entry -> entry.processes().stream()))
                .flatMap(each -> each);
    }

    private static boolean same(ProcessIdentity first, ProcessIdentity second) {
        return first.pid() == second.pid()
                && (first.startTicks() < 0 || second.startTicks() < 0 || first.startTicks() == second.startTicks());
    }
}
