package dev.neurontest.internal.participant;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.status.RuntimeExplanation;
import dev.neurontest.runtime.RuntimeCause;
import dev.neurontest.runtime.RuntimeLine;
import dev.neurontest.runtime.RuntimeReport;
import dev.neurontest.runtime.RuntimeStatus.CoreVerdict;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/**
 * What the reports of a runtime mean for the cores that it used.
 *
 * @param used cores of the test that the runtime could use
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ReportSuspicions(List<NeuronCore> used) {

    /**
     * Keeps its own copy.
     *
     * @param used cores of the test that the runtime could use
     */
    public ReportSuspicions {
        used = List.copyOf(used);
    }

    /**
     * Returns the cores that a report speaks against. Numbers of a line, or of the line with the cause of its status, choose among the
     * used cores; where they fit none of these, all used cores are meant.
     *
     * @param who reported a line, such as {@code infer.py (pid 4711)}
     * @param report of its runtime
     * @return a suspicion for each line that keeps cores back
     */
    public List<Suspicion> after(Function<RuntimeLine, String> who, RuntimeReport report) {
        return report.lines().stream()
                .filter(line -> report.verdict(line).keepsBack())
                .map(line -> suspicion(who.apply(line), line, report))
                .filter(suspicion -> !suspicion.cores().isEmpty())
                .toList();
    }

    private Suspicion suspicion(String who, RuntimeLine line, RuntimeReport report) {
        return of(
                line,
                report.placing(line),
                report.verdict(line),
                line.cause().isPresent()
                        ? "%s printed \"%s\"".formatted(who, line.text())
                        : "%s got %s".formatted(who, RuntimeExplanation.named(line)));
    }

    /**
     * Returns the cores that a line speaks against.
     *
     * @param line of a runtime, or of the kernel log
     * @param verdict that keeps them back
     * @param reason in words
     * @return the suspicion, without cores where the line is about another device
     */
    public Suspicion of(RuntimeLine line, CoreVerdict verdict, String reason) {
        return of(line, List.of(line), verdict, reason);
    }

    private Suspicion of(RuntimeLine line, List<RuntimeLine> placing, CoreVerdict verdict, String reason) {
        List<NeuronCore> concerned = placing.stream()
                .flatMap(each -> concerned(each).stream())
                .distinct()
                .toList();
        Suspicion suspicion = Suspicion.of(concerned, until(verdict), reason);
        return line.status()
                .or(() -> line.cause().flatMap(RuntimeCause::usualStatus))
                .map(suspicion::because)
                .orElse(suspicion);
    }

    /**
     * Returns what ends the quarantine of a core.
     *
     * @param verdict that keeps it back
     * @return what a later look has to find
     */
    public static Until until(CoreVerdict verdict) {
        return switch (verdict) {
            case STAY, ELSEWHERE -> throw new IllegalArgumentException(verdict + " keeps no core back");
            case SUSPECT -> Until.WELL;
            case OUT_UNTIL_RESET -> Until.RESET;
            case OUT_UNTIL_RELOAD -> Until.RELOAD;
            case OUT -> Until.REPLACED;
        };
    }

    private List<NeuronCore> concerned(RuntimeLine line) {
        if (line.serialNumber().isPresent()) {
            return ofSerialNumber(line);
        }
        return fitting(used, line, true);
    }

    /** Returns the cores of the device with the serial number of a line of the kernel log, which is about no other. */
    private List<NeuronCore> ofSerialNumber(RuntimeLine line) {
        List<NeuronCore> possible = used.stream()
                .filter(core -> serialNumber(core.device())
                        .map(line.serialNumber().orElseThrow()::equalsIgnoreCase)
                        .orElse(true))
                .toList();
        return fitting(possible, line, false);
    }

    private static Optional<String> serialNumber(NeuronDevice device) {
        try {
            return device.serialNumber();
        } catch (NeuronSysfsException unreadable) {
            return Optional.empty();
        }
    }

    private static List<NeuronCore> fitting(List<NeuronCore> cores, RuntimeLine line, boolean byDevice) {
        Predicate<NeuronCore> fits = core -> (!byDevice
                        || line.device().isEmpty()
                        || line.device().getAsInt() == core.device().index())
                && (line.core().isEmpty()
                        || core.physicalCores().stream()
                                .anyMatch(physical ->
                                        physical.index() == line.core().getAsInt()))
                && (line.logicalCore().isEmpty() || line.logicalCore().getAsInt() == core.index());
        List<NeuronCore> fitting = cores.stream().filter(fits).toList();
        return fitting.isEmpty() ? cores : fitting;
    }
}
