package dev.neurontest.internal.participant.counter;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.internal.device.kernel.KernelLine;
import dev.neurontest.internal.device.kernel.KernelLog;
import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.ReportSuspicions;
import dev.neurontest.internal.participant.Suspicion;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.TestResult;
import dev.neurontest.internal.participant.UndecidedHandling;
import dev.neurontest.internal.participant.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * The lines of the kernel log during a test with cores. A line with the serial number of a device of the test is a violation. A line without
 * one is a notice, because any process can print it. Lines about other devices are recorded at the end of the run.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestKernelLog implements Participant {

    private final KernelLog log;
    private final TestJournal lines;
    private final TestCores cores;
    private final Suspicions suspicions;
    private final @Nullable TestKernelLog enclosing;
    // Kernel log lines that tests of this class have reported; guarded by this set.
    private final Set<KernelLine> excluded = new HashSet<>();
    private OptionalInt mark = OptionalInt.empty();
    private List<KernelLine> newLines = List.of();

    /**
     * Creates a participant without reading the log.
     *
     * @param log the kernel log of the host
     * @param lines the run file of the test
     * @param cores the cores of the test
     * @param suspicions the suspicions against the cores
     * @param enclosing the log of the class that leases cores for the test; null without one
     */
    public TestKernelLog(
            KernelLog log,
            TestJournal lines,
            TestCores cores,
            Suspicions suspicions,
            @Nullable TestKernelLog enclosing) {
        this.log = log;
        this.lines = lines;
        this.cores = cores;
        this.suspicions = suspicions;
        this.enclosing = enclosing;
    }

    /** Excludes lines that a test of this class has reported. */
    private void exclude(List<KernelLine> reported) {
        synchronized (excluded) {
            excluded.addAll(reported);
        }
    }

    @Override
    public void start() {
        mark = cores.all().isEmpty() ? OptionalInt.empty() : OptionalInt.of(log.mark());
    }

    @Override
    public void conclude(TestResult findings) {
        if (mark.isPresent()) {
            newLines = new ArrayList<>(log.since(mark.getAsInt()));
            synchronized (excluded) {
                newLines.removeAll(excluded);
            }
        }
    }

    @Override
    public List<Verdict> judge(TestResult findings) {
        List<Violation> violations = new ArrayList<>();
        for (KernelLine line : newLines) {
            Optional<NeuronDevice> device = log.device(line);
            if (device.isEmpty()) {
                lines.notice(notice(line));
            } else if (!coresOn(device.get()).isEmpty()) {
                log.attribute(line);
                violations.add(violation(line, device.get()));
            }
        }
        for (@Nullable TestKernelLog outer = enclosing; outer != null; outer = outer.enclosing) {
            outer.exclude(newLines);
        }
        return violations.isEmpty()
                ? List.of()
                : List.of(lines.verdict(
                        new Judgement(violations, List.of(), List.of()),
                        UndecidedHandling.NONE,
                        () -> error(violations)));
    }

    private static String notice(KernelLine line) {
        return "%s. It is attributed to no core: %s"
                .formatted(
                        line.serialNumber().isPresent()
                                ? "The kernel log has a hardware error with a serial number that belongs to no device of this host"
                                : "The kernel log has a line about Neuron hardware without a serial number, which any process with write access can print",
                        line);
    }

    private Violation violation(KernelLine line, NeuronDevice device) {
        Suspicion suspicion = new ReportSuspicions(coresOn(device))
                .of(line.report(), line.report().verdict(), reason(line, device));
        suspicions.addEvidence(suspicion);
        return new Violation(
                KernelLog.RULE,
                suspicion.cores().size() == 1 ? suspicion.cores().get(0).name() : device.name(),
                "no line",
                line.toString(),
                line.report().cause().orElseThrow().advice());
    }

    private static String reason(KernelLine line, NeuronDevice device) {
        return "the kernel log has %s of %s%s"
                .formatted(
                        line.error().orElse("an error"),
                        device.name(),
                        line.report().action().map(", action "::concat).orElse(""));
    }

    private List<NeuronCore> coresOn(NeuronDevice device) {
        return cores.all().stream().filter(core -> core.device().equals(device)).toList();
    }

    private AssertionFailedError error(List<Violation> violations) {
        return Failure.error("The kernel log has %s from the time of %s:%s\n%s"
                .formatted(
                        violations.size() == 1 ? "a hardware error" : "hardware errors",
                        lines.name(),
                        violations.stream()
                                .map(each -> "\n  %s: %s".formatted(each.subject(), each.actual()))
                                .collect(Collectors.joining()),
                        violations.stream().map(Violation::advice).distinct().collect(Collectors.joining("\n"))));
    }
}
