package dev.neurontest.lease.table;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.lease.CoresQuarantinedException;
import dev.neurontest.lease.LeaseDeadlockException;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.lease.LeaseTimeoutException;
import dev.neurontest.lease.store.ProcessTable;
import dev.neurontest.lease.store.TableState;
import dev.neurontest.text.ListText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a holder is told who gets no cores.
 *
 * @param self the JVM of that holder
 * @param cores those of its host
 * @param outside who has which device open without a lease
 * @param troubles what health checks found, by the number of the quarantine
 * @param place what a person can remove to begin anew
 * @param processes of this machine
 */
record Refusal(
        TableState state,
        long self,
        HostCores cores,
        Map<String, List<ProcessOwner>> outside,
        Map<Long, String> troubles,
        Optional<Path> place,
        ProcessTable processes) {

    /** The time is over. */
    LeaseTimeoutException timeout(Waiter waiter, Duration atMost) {
        LeaseRequest request = waiter.request();
        int free = cores.free(state.taken(), outside.keySet()).cardinality();
        String text = "%s got no cores within %s. It wants %s; %d of %d cores are free.%n"
                        .formatted(request.holder(), text(atMost), request.description(), free, cores.count())
                + section("Held by:", state.claims().stream().map(this::holder).toList())
                + section(
                        "Waiting before it:",
                        state.queue().stream()
                                .filter(other -> other.number() < waiter.number())
                                .map(other -> "%s: wants %s (%s%s)"
                                        .formatted(
                                                other.holder(),
                                                other.wants(),
                                                whose(other.member(), other.thread()),
                                                state.isPassedOver(other.member())
                                                        ? ", which does not answer and is passed over"
                                                        : ""))
                                .toList())
                + section(
                        "In quarantine:",
                        state.barred().stream().map(this::quarantine).toList())
                + section(
                        "Open in processes that have no lease:",
                        outside.entrySet().stream()
                                .map(each -> each.getKey() + ": " + ListText.of(each.getValue()))
                                .toList())
                + byHand()
                + "Let it wait longer, run fewer tests at a time, or look why a holder does not end.";
        return new LeaseTimeoutException(text, waiter.waited());
    }

    /** Whether a process has ended cannot always be seen, as from another container. */
    private String byHand() {
        String processes = state.barred().stream()
                .flatMap(entry -> entry.processes().stream())
                .map(process -> String.valueOf(process.pid()))
                .distinct()
                .collect(Collectors.joining(", "));
        return processes.isEmpty()
                ? ""
                : "End what still uses the cores: process %s, as it is numbered where it was started."
                                .formatted(processes)
                        + place.map(directory ->
                                        " If it has ended and that cannot be seen from here, remove %s while no tests run."
                                                .formatted(directory))
                                .orElse("")
                        + "%n".formatted();
    }

    /** Cores in quarantine make it impossible. */
    CoresQuarantinedException quarantined(LeaseRequest request) {
        return quarantined(
                "%s asks for %s, which this host cannot give any more.%n"
                        .formatted(request.holder(), request.description()),
                state.barred().stream().filter(state::lasting).toList(),
                "Find out what is wrong with these cores: a core comes back when the health check finds it well.");
    }

    /** Cores that a test holds are in quarantine by now; empty when none is. */
    Optional<CoresQuarantinedException> ill(String holder, Collection<NeuronCore> held) {
        List<String> keys = HostCores.keys(held);
        List<TableState.Barred> ill = state.barred().stream()
                .filter(entry -> TableState.share(keys, List.of(entry.core())))
                .toList();
        return ill.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        quarantined(
                                "%s was to use cores that are in quarantine by now.%n".formatted(holder),
                                ill,
                                "A class or a session keeps its cores to its end; lease them per test to get others after a failure."));
    }

    private CoresQuarantinedException quarantined(String what, List<TableState.Barred> entries, String advice) {
        String quarantines =
                section("In quarantine:", entries.stream().map(this::quarantine).toList());
        return new CoresQuarantinedException(what + quarantines + advice, cores.quarantines(entries));
    }

    /** Holders wait for each other. */
    LeaseDeadlockException deadlock(LeaseRequest request, List<TableState.Ticket> holders) {
        String text = "%s asks for %s while it keeps cores that others wait for, who keep what it waits for.%n"
                        .formatted(request.holder(), request.description())
                + section(
                        "Waiting for each other:",
                        holders.stream()
                                .map(ticket -> "%s: keeps %s and wants %s (%s)"
                                        .formatted(
                                                ticket.holder(),
                                                state.kept(ticket).stream()
                                                        .map(claim -> cores.names(claim.cores()))
                                                        .collect(Collectors.joining(", ")),
                                                ticket.wants(),
                                                whose(ticket.member(), ticket.thread())))
                                .toList())
                + "Lease everything for the class, or everything for the test, so that no test keeps cores while it waits.";
        return new LeaseDeadlockException(text);
    }

    private static String section(String title, List<String> lines) {
        return lines.isEmpty()
                ? ""
                : title + lines.stream().map("%n  %s"::formatted).collect(Collectors.joining()) + "%n".formatted();
    }

    private String holder(TableState.Claim claim) {
        return "%s: %s (%s, since %s)"
                .formatted(cores.names(claim.cores()), claim.holder(), whose(claim), claim.since());
    }

    private String whose(TableState.Claim claim) {
        boolean mine = claim.member() == self
                && claim.threadId() == Thread.currentThread().getId();
        return mine ? "this thread" : whose(claim.member(), claim.thread());
    }

    private String whose(long member, String thread) {
        String where = "thread " + thread;
        return member == self
                ? where
                : state.member(member)
                        .map(other -> "pid " + other.process().pid()
                                + (processes.isStopped(other.process()) ? ", stopped, " : ", ") + where)
                        .orElse(where);
    }

    private String quarantine(TableState.Barred entry) {
        String trouble = troubles.get(entry.number());
        return "%s: %s%s (%s, pid %d, since %s)"
                .formatted(
                        cores.name(entry.core()),
                        entry.reason(),
                        trouble == null ? "" : "; the health check says: " + trouble,
                        entry.holder(),
                        entry.pid(),
                        entry.since());
    }

    private static String text(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
