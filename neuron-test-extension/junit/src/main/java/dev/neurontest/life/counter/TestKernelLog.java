package dev.neurontest.life.counter;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.PhysicalCore;
import dev.neurontest.device.kernel.KernelLine;
import dev.neurontest.device.kernel.KernelLog;
import dev.neurontest.life.Findings;
import dev.neurontest.life.Leniency;
import dev.neurontest.life.Participant;
import dev.neurontest.life.Suspicion;
import dev.neurontest.life.Suspicions;
import dev.neurontest.life.TestLines;
import dev.neurontest.life.Verdict;
import dev.neurontest.life.lease.TestCores;
import dev.neurontest.recording.Failure;
import dev.neurontest.recording.Judgement;
import dev.neurontest.recording.Violation;
import dev.neurontest.status.RuntimeStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
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

    private static final String RULE = "no hardware error in the kernel log";
    private static final Pattern REPLACEMENT = Pattern.compile("TERMINATE|REPLACE");

    private final KernelLog log;
    private final TestLines lines;
    private final TestCores cores;
    private final Suspicions suspicions;
    private final Consumer<List<KernelLine>> reporter;
    // Guarded by itself.
    private final Set<KernelLine> excluded = new HashSet<>();
    private @Nullable Instant start;
    private List<KernelLine> newLines = List.of();

    /**
     * Creates a participant without reading the log.
     *
     * @param log the kernel log of the host
     * @param lines the run file of the test
     * @param cores the cores of the test
     * @param suspicions the suspicions against the cores
     * @param reporter receives the lines of the test
     */
    public TestKernelLog(
            KernelLog log,
            TestLines lines,
            TestCores cores,
            Suspicions suspicions,
            Consumer<List<KernelLine>> reporter) {
        this.log = log;
        this.lines = lines;
        this.cores = cores;
        this.suspicions = suspicions;
        this.reporter = reporter;
    }

    /** Excludes lines that a test of this class has reported. */
    public void exclude(List<KernelLine> reported) {
        synchronized (excluded) {
            excluded.addAll(reported);
        }
    }

    @Override
    public void before() {
        start = cores.all().isEmpty() ? null : Instant.now();
    }

    @Override
    public void after(Findings findings) {
        if (start != null) {
            List<KernelLine> all = log.since(start);
            synchronized (excluded) {
                newLines = all.stream().filter(line -> !excluded.contains(line)).toList();
            }
        }
    }

    @Override
    public List<Verdict> judge(Findings findings) {
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
        reporter.accept(newLines);
        return violations.isEmpty()
                ? List.of()
                : List.of(lines.verdict(
                        new Judgement(violations, List.of(), List.of()), Leniency.NONE, () -> error(violations)));
    }

    private static String notice(KernelLine line) {
        return "%s. It counts against no core: %s"
                .formatted(
                        line.serialNumber().isPresent()
                                ? "The kernel log has a hardware error with the serial number of no device of this host"
                                : "The kernel log has a line about Neuron hardware without a serial number, which any process with write access can print",
                        line);
    }

    private Violation violation(KernelLine line, NeuronDevice device) {
        List<NeuronCore> suspects = suspects(line, device);
        suspicions.add(suspicion(line, suspects, reason(line, device)));
        return new Violation(
                RULE,
                suspects.size() == 1 ? suspects.get(0).name() : device.name(),
                "no line",
                line.toString(),
                line.kind() == KernelLine.Kind.DMA
                        ? "A DMA engine aborted. A kernel with indices out of bounds can cause this, too: run the test on another device. If it passes there, take this device out of service."
                        : "The runtime reported broken hardware: take the device out of service. Stop and start the instance to get another machine.");
    }

    /** Returns what ends the quarantine. A kernel can abort a DMA engine as well, and a second device decides that. */
    private static Suspicion suspicion(KernelLine line, List<NeuronCore> suspects, String reason) {
        return switch (line.kind()) {
            case SRAM, NC, HBM -> Suspicion.broken(suspects, reason);
            case DMA -> Suspicion.ofHardware(suspects, reason).because(RuntimeStatus.of("NRT_EXEC_HW_ERR_DMA_ABORT"));
            case OTHER ->
                line.action().filter(REPLACEMENT.asPredicate()).isPresent()
                        ? Suspicion.broken(suspects, reason)
                        : Suspicion.ofHardware(suspects, reason);
        };
    }

    private static String reason(KernelLine line, NeuronDevice device) {
        return "the kernel log has %s of %s%s"
                .formatted(
                        line.error().orElse("an error"),
                        device.name(),
                        line.action().map(", action "::concat).orElse(""));
    }

    /** Returns the core in the line if the test has it, else all cores of the test on the device. */
    private List<NeuronCore> suspects(KernelLine line, NeuronDevice device) {
        List<NeuronCore> onDevice = coresOn(device);
        List<NeuronCore> named = line.core().isEmpty()
                ? List.of()
                : onDevice.stream()
                        .filter(core -> core.physicalCores().stream()
                                .map(PhysicalCore::index)
                                .anyMatch(index -> index == line.core().getAsInt()))
                        .toList();
        return named.isEmpty() ? onDevice : named;
    }

    private List<NeuronCore> coresOn(NeuronDevice device) {
        return cores.all().stream().filter(core -> core.device().equals(device)).toList();
    }

    private AssertionFailedError error(List<Violation> violations) {
        return Failure.error("The kernel log has hardware errors from the time of %s:%s\n%s"
                .formatted(
                        lines.name(),
                        violations.stream()
                                .map(each -> "\n  %s: %s".formatted(each.subject(), each.actual()))
                                .collect(Collectors.joining()),
                        violations.stream().map(Violation::advice).distinct().collect(Collectors.joining("\n"))));
    }
}
