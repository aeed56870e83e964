package dev.neurontest.internal.command.doctor;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import dev.neurontest.device.LeaseException;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.PhysicalCore;
import dev.neurontest.internal.lease.FreeingCommand;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.store.LeaseOverview;
import dev.neurontest.internal.lease.store.Mounts;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.RangeText;
import dev.neurontest.internal.text.ReasonText;
import dev.neurontest.internal.text.ShellText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks of the lease table: its access rights, the holders of cores, the waiting JVMs, and the quarantined cores. */
final class LeaseChecks {

    private static final int STICKY = 01000;
    private static final int ALL_OF_OTHERS = 0007;
    private static final int WRITABLE_BY_OTHERS = 0002;
    private static final int PERMISSIONS = 07777;
    private static final int ROOT = 0;

    /** Logical cores by the names of their physical cores, in the form of the table. */
    private final Map<String, NeuronCore> cores;

    private LeaseChecks(NeuronHost host) {
        cores = host.cores().stream()
                .collect(toMap(
                        core -> core.physicalCores().stream()
                                .map(PhysicalCore::toString)
                                .collect(joining("+")),
                        core -> core));
    }

    /**
     * Examines the table without a change.
     *
     * @param mounts used to check whether all JVMs of the machine share the table; null if that is not required
     * @throws LeaseException when the table cannot be read
     */
    static List<DoctorFinding> examine(NeuronHost host, Path directory, @Nullable Mounts mounts) {
        LeaseChecks leases = new LeaseChecks(host);
        List<DoctorFinding> findings = new ArrayList<>();
        if (mounts != null) {
            mounts.of(directory).ifPresent(system -> {
                system.requireShared(
                        directory, notice -> findings.add(DoctorFinding.of(Code.LEASES_OF_ONE_CONTAINER, notice, "")));
                findings.add(DoctorFinding.ok("leases", "%s is on %s".formatted(directory, system.type())));
            });
        }
        LeaseOverview.of(directory)
                .ifPresentOrElse(
                        table -> findings.addAll(leases.examine(directory, table)),
                        () -> findings.add(DoctorFinding.ok("leases", "nothing has been leased yet in " + directory)));
        access(directory).ifPresent(findings::add);
        replaceable(directory).ifPresent(findings::add);
        if (!ProgramLock.isAvailable()) {
            findings.add(
                    DoctorFinding.of(
                            Code.UNSEEN_PROGRAMS,
                            "no flock of util-linux with the option --no-fork in PATH",
                            "When a test JVM is killed, other containers cannot see whether its programs still run. Install util-linux."));
        }
        return findings;
    }

    /** Returns the result of a request to free a core. */
    static List<DoctorFinding> freed(String core, LeaseTable.Freed freed) {
        return freed.refusal()
                .map(reason -> List.of(DoctorFinding.of(
                        Code.NOT_FREED,
                        "core %s was not freed: %s".formatted(core, reason),
                        "End the program that uses it first. neuron-test doctor lists the cores in quarantine.")))
                .orElseGet(() -> freed.ended().stream()
                        .map(ended -> DoctorFinding.ok(
                                "quarantine",
                                "freed %s, which was in quarantine: %s (%s, pid %s)"
                                        .formatted(ended.core(), ended.reason(), ended.holder(), ended.pid())))
                        .toList());
    }

    /** Finds a directory on the path to the table in which another ordinary user can rename entries. */
    private static Optional<DoctorFinding> replaceable(Path directory) {
        try {
            int self = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            Path real = directory.toRealPath();
            for (Path place = real; place != null; place = place.getParent()) {
                Map<String, Object> attributes = Files.readAttributes(place, "unix:mode,uid,owner");
                int owner = (int) attributes.get("uid");
                int mode = (int) attributes.get("mode") & PERMISSIONS;
                if (owner != ROOT && owner != self) {
                    return Optional.of(replaceable(real, place, mode, attributes.get("owner")));
                }
                if ((mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0) {
                    return Optional.of(DoctorFinding.of(
                            Code.REPLACEABLE_LEASES,
                            "%s has mode %04o, so every user can replace the table in %s: tests then get cores that others hold"
                                    .formatted(place, mode, real),
                            "sudo chmod +t %s sets the sticky bit.".formatted(ShellText.of(place.toString()))));
                }
            }
            return Optional.empty();
        } catch (IOException | UnsupportedOperationException notThere) {
            return Optional.empty();
        }
    }

    private static DoctorFinding replaceable(Path table, Path place, int mode, Object owner) {
        return DoctorFinding.of(
                Code.REPLACEABLE_LEASES,
                "%s belongs to %s, who can replace the table%s: tests then get cores that others hold"
                        .formatted(place, owner, place.equals(table) ? "" : " in " + table),
                place.equals(table)
                        ? "Make root its owner, at each boot: put the line '%s' into /etc/tmpfiles.d/neuron-test.conf, and run sudo systemd-tmpfiles --create while no test runs."
                                .formatted(lineOfRoot(table, mode))
                        : "Set neuron.test.lease.directory to a directory inside one of root, such as below /run.");
    }

    /** Returns the tmpfiles.d line that gives a directory to root. */
    private static String lineOfRoot(Path directory, int mode) {
        String path =
                directory.toString().replace("\\", "\\\\").replace("\"", "\\\"").replace("%", "%%");
        return "d %s %04o root root -".formatted(path.matches("[\\w./%+:@-]+") ? path : "\"" + path + "\"", mode);
    }

    /** Finds a lease directory that is not accessible to all users. */
    private static Optional<DoctorFinding> access(Path directory) {
        try {
            Map<String, Object> attributes = Files.readAttributes(directory, "unix:mode,owner");
            int mode = (int) attributes.get("mode") & PERMISSIONS;
            return (mode & ALL_OF_OTHERS) == ALL_OF_OTHERS
                    ? Optional.empty()
                    : Optional.of(DoctorFinding.of(
                            Code.LEASES_OF_ONE_USER,
                            "%s has mode %04o and belongs to %s: other users cannot lease from it, so their tests fail"
                                    .formatted(directory, mode, attributes.get("owner")),
                            "If other users share the cores of this host, run sudo chmod 1777 %s to open it to all users, or set neuron.test.lease.directory to another directory. All users must set the same directory."
                                    .formatted(ShellText.of(directory.toString()))));
        } catch (IOException | UnsupportedOperationException notThere) {
            return Optional.empty();
        }
    }

    private List<DoctorFinding> examine(Path directory, LeaseOverview table) {
        DoctorFinding all = DoctorFinding.ok(
                "leases",
                "%s: %s, %s, %s waiting, by %s"
                        .formatted(
                                directory,
                                CountText.of(table.held().size(), "lease"),
                                CountText.of(
                                                table.quarantines().stream()
                                                        .map(Quarantine::core)
                                                        .distinct()
                                                        .count(),
                                                "core")
                                        + " in quarantine",
                                table.waiting().size(),
                                CountText.of(table.jvms(), "living JVM")));
        return Stream.of(
                        Stream.of(all),
                        table.held().stream().map(this::held),
                        table.waiting().stream().map(LeaseChecks::waiting),
                        table.skipped().stream().map(LeaseChecks::skipped),
                        quarantines(table))
                .flatMap(each -> each)
                .toList();
    }

    private DoctorFinding held(LeaseOverview.Held held) {
        String what = "%s: leased by %s (pid %s) since %s"
                .formatted(named(held.cores()), held.holder(), held.pid(), time(held.since()));
        return held.alive()
                ? DoctorFinding.ok("leases", what)
                : DoctorFinding.of(
                        Code.DEAD_LEASE,
                        what + ", but its JVM has ended",
                        "The next JVM that leases cores takes them back.");
    }

    /**
     * Returns the numbers of logical cores. A JVM with another size of logical cores has cores without a number on this host; for them, the
     * physical names are returned.
     */
    private String named(List<String> keys) {
        if (!cores.keySet().containsAll(keys)) {
            return String.join(", ", keys);
        }
        List<Integer> numbers = keys.stream().map(key -> cores.get(key).index()).toList();
        return (numbers.size() == 1 ? "core " : "cores ") + RangeText.of(numbers);
    }

    private static Instant time(Instant exactly) {
        return exactly.truncatedTo(ChronoUnit.SECONDS);
    }

    private static DoctorFinding waiting(LeaseOverview.Waiting waiting) {
        String what = "%s (pid %s) waits for %s".formatted(waiting.holder(), waiting.pid(), waiting.wants());
        return waiting.passedOver()
                ? DoctorFinding.of(
                        Code.PASSED_OVER,
                        what + "; its JVM does not respond and is passed over",
                        "Resume it if a debugger, a paused container or a signal stops it, or end it.")
                : DoctorFinding.ok("leases", what);
    }

    private static DoctorFinding skipped(String file) {
        return DoctorFinding.of(
                Code.PLANTED_FILE, file + "; no test JVM made it, and it is skipped", "Remove it while no test runs.");
    }

    /** Returns one finding for each core and each test that quarantined it, with all reasons. */
    private Stream<DoctorFinding> quarantines(LeaseOverview table) {
        return table.quarantines().stream()
                .collect(Collectors.groupingBy(
                        each -> List.of(each.core(), each.holder(), each.pid(), each.until()),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values()
                .stream()
                .map(same -> quarantine(
                        same.get(0),
                        ReasonText.of(same.stream().map(Quarantine::reason).toList())));
    }

    private DoctorFinding quarantine(Quarantine quarantine, String reason) {
        String age = quarantine.since().isAfter(Instant.now()) ? "" : ", since " + time(quarantine.since());
        return DoctorFinding.of(
                Code.QUARANTINE,
                "no test gets %s: %s (%s, pid %s%s)"
                        .formatted(
                                cores.containsKey(quarantine.core())
                                        ? "core %s (%s)"
                                                .formatted(
                                                        cores.get(quarantine.core())
                                                                .index(),
                                                        quarantine.core())
                                        : quarantine.core(),
                                reason,
                                quarantine.holder(),
                                quarantine.pid(),
                                age),
                advice(quarantine));
    }

    private static String advice(Quarantine quarantine) {
        return switch (quarantine.until()) {
            case PROCESSES_END ->
                "The next JVM that leases cores takes the core back when these processes have ended: neuron-test doctor --reap ends those of dead JVMs. If they have ended and this host cannot detect it, this frees the core: "
                        + FreeingCommand.of(quarantine.core());
            case IDLE -> "Tests get other cores until a check finds that nothing drives it.";
            case WELL ->
                "Tests get other cores until a check finds health and error counts of its device unchanged; no reset is needed.";
            case RESET ->
                "Tests get other cores until a check finds it healthy; neuron.test.quarantine.reset allows them to reset the device.";
            case RELOAD -> "Reload the driver or reboot the host: the next tests detect that, and use the core again.";
            case REPLACED ->
                "Replace the instance: tests use the core again when a device with another serial number is in its place.";
        };
    }
}
