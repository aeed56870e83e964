package dev.neurontest.internal.participant.print;

import dev.neurontest.internal.print.DelegatedFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.internal.print.child.ChildPrints;
import dev.neurontest.internal.print.child.ProgramPrints;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.workload.WorkloadResult;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The prints of the workloads of one test. Prints in standard output count only if none arrived through the debug stream. Frameworks write
 * both, and a simulation writes only standard output. The prints of simulated programs count only if no program ran on cores: a simulation
 * must not replace missing prints of the device.
 */
final class WorkloadFeed implements DelegatedFeed, AutoCloseable {

    private static final PrintDoubt NO_PRINT_OF_SIMULATION = new PrintDoubt(
            PrintDoubt.Kind.UNAVAILABLE,
            "The output of the simulated programs contains no print: the kernels printed nothing, or in a form that is not known. Check it with a kernel that is known to print, and name its prefix in @ExpectPrint.");

    private final ChildPrints child;
    private final Supplier<List<WorkloadResult>> ended;
    private final BooleanSupplier startedOnDevice;
    private final Set<String> prefixes;
    private final Map<WorkloadResult, PrintFeed> ofEnded = new LinkedHashMap<>();

    /**
     * Creates a feed.
     *
     * @param ended returns the workloads that have ended so far, in the order of their starts
     * @param startedOnDevice returns whether a program was started on cores so far
     * @param prefixes the expected prefixes; they identify prints in output that contains only prefix and values
     */
    WorkloadFeed(
            ChildPrints child,
            Supplier<List<WorkloadResult>> ended,
            BooleanSupplier startedOnDevice,
            Set<String> prefixes) {
        this.child = child;
        this.ended = ended;
        this.startedOnDevice = startedOnDevice;
        this.prefixes = prefixes;
    }

    @Override
    public synchronized void settle() {
        child.settle();
        ended.get().forEach(result -> ofEnded.computeIfAbsent(result, this::feed));
    }

    private PrintFeed feed(WorkloadResult result) {
        Instant end = result.started().plus(result.duration());
        return result.simulated()
                ? ProgramPrints.of(result.folder(), result.stdout(), end, prefixes)
                : ProgramPrints.text(result.folder(), result.stdout(), end, prefixes);
    }

    @Override
    public List<PrintDoubt> doubts() {
        PrintFeed text = text();
        if (hasComeBetter()) {
            return Stream.concat(child.doubts().stream(), ProgramPrints.onlyInText(child, text, prefixes).stream())
                    .toList();
        }
        if (!isEmpty(text)) {
            return doubtsBesideText(text);
        }
        return hasOnlySimulated() ? List.of(NO_PRINT_OF_SIMULATION) : child.doubts();
    }

    @Override
    public PrintFeed source() {
        PrintFeed text = text();
        return hasComeBetter() || isEmpty(text) ? child : text;
    }

    private synchronized PrintFeed text() {
        return PrintFeed.of(ofEnded.entrySet().stream()
                .filter(each -> !each.getKey().simulated() || hasOnlySimulated())
                .map(Map.Entry::getValue)
                .toList());
    }

    /** Returns whether programs were simulated and none has run on cores, or still runs there. */
    private synchronized boolean hasOnlySimulated() {
        return ofEnded.keySet().stream().anyMatch(WorkloadResult::simulated)
                && !startedOnDevice.getAsBoolean()
                && !hasComeBetter();
    }

    private boolean hasComeBetter() {
        return !child.prints().isEmpty() || !child.oddEvents().isEmpty();
    }

    private static boolean isEmpty(PrintFeed text) {
        return text.prints().isEmpty()
                && text.oddEvents().isEmpty()
                && text.doubts().isEmpty();
    }

    /** Returns the doubts about text prints. A simulation has no debug stream, so a missing stream causes no doubt about its output. */
    private List<PrintDoubt> doubtsBesideText(PrintFeed text) {
        return Stream.concat(
                        text.doubts().stream(),
                        child.doubts().stream().filter(doubt -> doubt.kind() != PrintDoubt.Kind.UNAVAILABLE))
                .toList();
    }

    @Override
    public void close() {
        settle();
        child.close();
    }
}
