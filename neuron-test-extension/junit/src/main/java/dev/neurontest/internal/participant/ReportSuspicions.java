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
 * Suspicions against the cores that a runtime used, derived from its reports.
 *
 * @param used the cores of the test that the runtime could use
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ReportSuspicions(List<NeuronCore> used) {

    /**
     * Creates the suspicions with a copy of the cores.
     *
     * @param used the cores of the test that the runtime could use
     */
    public ReportSuspicions {
        used = List.copyOf(used);
    }

    /**
     * Returns the suspicions of a report. The numbers in a line select among the used cores; so do those in the line with the cause of its
     * status. If they match none of these cores, all used cores are suspect.
     *
     * @param who returns the reporter of a line, such as {@code infer.py (pid 4711)}
     * @return a suspicion for each line that withholds cores
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
     * Returns the suspicion of a line.
     *
     * @param line a line of a runtime or of the kernel log
     * @param verdict the verdict, which withholds the cores
     * @param reason a text for the user
     * @return the suspicion; without cores if the line is about another device
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
     * Returns the condition that ends the quarantine of a core.
     *
     * @param verdict the verdict, which withholds the core
     */
    public static Until until(CoreVerdict verdict) {
        return switch (verdict) {
            case STAY, ELSEWHERE -> throw new IllegalArgumentException(verdict + " quarantines no core");
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

    /** Returns the cores of the device with the serial number of a kernel log line, which is about no other device. */
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
