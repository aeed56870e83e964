package dev.neurontest.internal.lease.table;

import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.internal.lease.CoresQuarantinedException;
import dev.neurontest.internal.lease.FreeingCommand;
import dev.neurontest.internal.lease.LeaseDeadlockException;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.internal.text.ListText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The messages for a holder without cores, after a failed request or during a wait.
 *
 * @param store the store of this JVM
 * @param cores the cores of its host
 * @param outside the processes without a lease, by the device that they have open
 * @param lasting the quarantines that only a health check can end and that are not currently in a health check
 * @param troubles the problems found by health checks, by the number of the quarantine
 * @param processes the processes of this machine
 */
record Refusal(
        LeaseState state,
        LeaseStore store,
        HostCores cores,
        Map<String, List<ProcessOwner>> outside,
        List<LeaseState.QuarantineEntry> lasting,
        Map<Long, String> troubles,
        ProcessTable processes) {

    /** Maximum number of entries of a kind in a line. */
    private static final int NAMED = 3;

    /** Creates the exception for a timeout. */
    LeaseTimeoutException timeout(Waiter waiter, Duration atMost) {
        StringBuilder text = new StringBuilder("%s got no cores within %s. It requests %s; %s of %s cores are free.%n"
                .formatted(
                        waiter.request().holder(),
                        text(atMost),
                        waiter.request().description(),
                        free(),
                        cores.count()));
        reasons(waiter, state.claims()).forEach((title, lines) -> text.append(section(title, lines)));
        text.append(byHand())
                .append("Allow a longer wait, run fewer tests at a time, or find out why a holder does not end.");
        return new LeaseTimeoutException(text.toString(), waiter.waited());
    }

    /** Formats the message for a wait that continues. */
    String waiting(Waiter waiter, Duration waited, String reasons) {
        return "%s has waited %s for %s; %s of %s cores are free.%s"
                .formatted(
                        waiter.request().holder(),
                        Waiter.text(waited),
                        waiter.request().description(),
                        free(),
                        cores.count(),
                        reasons);
    }

    /** Formats the reasons of a wait in a line. The line only changes when the reasons change. */
    String reasons(Waiter waiter) {
        List<LeaseState.Claim> alone = state.claims().stream()
                .filter(claim -> isInTheWay(claim.cores(), waiter))
                .toList();
        StringBuilder line = new StringBuilder();
        reasons(waiter, alone.isEmpty() ? state.claims() : alone)
                .forEach((title, reasons) -> line.append(" %s %s.".formatted(title, ListText.some(reasons, NAMED))));
        return line.toString();
    }

    /** Checks whether a request cannot be met without these cores even if all others are free. */
    private boolean isInTheWay(Collection<String> taken, Waiter waiter) {
        Set<String> physical = LeaseState.physical(taken);
        return waiter.placement.fit(cores.free(physical, Set.of())).isEmpty();
    }

    private int free() {
        return cores.free(state.taken(), outside.keySet()).cardinality();
    }

    /** Returns the reasons by title, without empty ones. */
    private Map<String, List<String>> reasons(Waiter waiter, List<LeaseState.Claim> claims) {
        Map<String, List<String>> reasons = new LinkedHashMap<>();
        reasons.put("Held:", claims.stream().map(claim -> holder(claim, waiter)).toList());
        reasons.put(
                "Waiting before it:",
                state.queue().stream()
                        .filter(other -> waiter.head == null || other.head().isBefore(waiter.head))
                        .map(other -> "%s: requests %s (%s%s)"
                                .formatted(
                                        other.holder(),
                                        other.wants(),
                                        holder(other.jvm(), other.process(), other.thread()),
                                        other.head().passedOver() ? ", which does not respond and is passed over" : ""))
                        .toList());
        reasons.put("In quarantine:", quarantines(state.barred()));
        reasons.put(
                "Open in processes that have no lease:",
                outside.entrySet().stream()
                        .map(each -> each.getKey() + ": " + ListText.of(each.getValue()))
                        .toList());
        reasons.values().removeIf(List::isEmpty);
        return reasons;
    }

    /** Formats the advice about running processes. They are not always visible, for example from another container. */
    private String byHand() {
        List<LeaseState.QuarantineEntry> entries = state.barred().stream()
                .filter(entry -> entry.until() == Quarantine.Until.PROCESSES_END)
                .toList();
        String processes = entries.stream()
                .flatMap(entry -> entry.processes().stream())
                .map(process -> String.valueOf(process.pid()))
                .distinct()
                .collect(Collectors.joining(", "));
        return processes.isEmpty()
                ? ""
                : "End the processes that still use the cores: pid %s, as numbered where they were started.%s%n"
                        .formatted(
                                processes,
                                entries.stream()
                                        .filter(this::isUnseen)
                                        .map(LeaseState.QuarantineEntry::core)
                                        .findFirst()
                                        .flatMap(core -> store.place().map(table -> FreeingCommand.of(core, table)))
                                        .map(
                                                " If they have ended, which is not visible from here, this frees one core: "
                                                        ::concat)
                                        .orElse(""));
    }

    private boolean isUnseen(LeaseState.QuarantineEntry entry) {
        return entry.processes().stream()
                .anyMatch(process -> processes.liveness(process) == ProcessTable.Liveness.UNKNOWN);
    }

    /**
     * Creates the exception for a request that is impossible because of cores in quarantine. It names the indispensable cores, if
     * there are any.
     */
    CoresQuarantinedException quarantined(Waiter waiter) {
        List<LeaseState.QuarantineEntry> alone = lasting.stream()
                .filter(entry -> isInTheWay(List.of(entry.core()), waiter))
                .toList();
        return quarantined(
                "%s requests %s, which this host can no longer provide.%n"
                        .formatted(waiter.request().holder(), waiter.request().description()),
                alone.isEmpty() ? lasting : alone,
                "Do what the reason names. A core returns when a health check finds it healthy.");
    }

    /** Creates the exception for held cores that are now in quarantine; empty if none is. */
    Optional<CoresQuarantinedException> ill(String holder, Collection<NeuronCore> held) {
        List<String> keys = HostCores.keys(held);
        List<LeaseState.QuarantineEntry> ill = state.barred().stream()
                .filter(entry -> LeaseState.share(keys, List.of(entry.core())))
                .toList();
        return ill.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        quarantined(
                                "%s was to use cores that are now in quarantine.%n".formatted(holder),
                                ill,
                                "A class or a session keeps its cores to its end; lease them per test to get others after a failure."));
    }

    private CoresQuarantinedException quarantined(
            String headline, List<LeaseState.QuarantineEntry> entries, String advice) {
        return new CoresQuarantinedException(
                headline + section("In quarantine:", quarantines(entries)) + advice, cores.quarantines(entries));
    }

    /** Creates the exception for a deadlock of holders. */
    LeaseDeadlockException deadlock(LeaseRequest request, List<LeaseState.Ticket> holders) {
        String text =
                "%s requests %s while it keeps cores that others wait for. They keep the cores that it waits for.%n"
                                .formatted(request.holder(), request.description())
                        + section(
                                "Waiting for each other:",
                                holders.stream()
                                        .map(ticket -> "%s: keeps %s and requests %s (%s)"
                                                .formatted(
                                                        ticket.holder(),
                                                        state.kept(ticket).stream()
                                                                .map(claim -> cores.ranges(claim.cores()))
                                                                .collect(Collectors.joining(", ")),
                                                        ticket.wants(),
                                                        holder(ticket.jvm(), ticket.process(), ticket.thread())))
                                        .toList())
                        + "Lease everything for the class, or everything for the test, so that no test keeps cores while it waits.";
        return new LeaseDeadlockException(text);
    }

    private static String section(String title, List<String> lines) {
        return lines.isEmpty()
                ? ""
                : title + lines.stream().map("%n  %s"::formatted).collect(Collectors.joining()) + "%n".formatted();
    }

    private String holder(LeaseState.Claim claim, Waiter waiter) {
        boolean own = claim.jvm().equals(store.self()) && claim.threadId() == waiter.thread.getId();
        return "%s by %s (%s, since %s)"
                .formatted(
                        cores.ranges(claim.cores()),
                        claim.holder(),
                        own ? "this thread" : holder(claim.jvm(), claim.process(), claim.thread()),
                        claim.since().truncatedTo(ChronoUnit.SECONDS));
    }

    private String holder(String jvm, ProcessIdentity process, String thread) {
        return "pid %s, %sthread %s"
                .formatted(
                        process.pid(),
                        jvm.equals(store.self()) ? "this JVM, " : processes.isStopped(process) ? "stopped, " : "",
                        thread);
    }

    /** Formats a line for each core and test, because all reasons of a test for a core have the same remedy. */
    private List<String> quarantines(Collection<LeaseState.QuarantineEntry> entries) {
        return entries.stream()
                .collect(Collectors.groupingBy(this::cause, LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(each -> quarantine(each.getKey(), each.getValue()))
                .toList();
    }

    /** The common part of the reasons for which a test put a core into quarantine. */
    private record Cause(String core, String holder, long pid, Optional<String> remedy, Optional<String> trouble) {}

    private Cause cause(LeaseState.QuarantineEntry entry) {
        return new Cause(
                entry.core(),
                entry.holder(),
                entry.pid(),
                entry.remedy(),
                Optional.ofNullable(troubles.get(entry.number())));
    }

    private String quarantine(Cause cause, List<LeaseState.QuarantineEntry> entries) {
        return "%s: %s%s%s (%s, pid %s, since %s)"
                .formatted(
                        cores.name(cause.core()),
                        entries.stream()
                                .map(LeaseState.QuarantineEntry::reason)
                                .distinct()
                                .collect(Collectors.joining("; ")),
                        cause.remedy().map("; "::concat).orElse(""),
                        cause.trouble()
                                .map("; the health check finds: "::concat)
                                .orElse(""),
                        cause.holder(),
                        cause.pid(),
                        entries.get(0).since().truncatedTo(ChronoUnit.SECONDS));
    }

    private static String text(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
