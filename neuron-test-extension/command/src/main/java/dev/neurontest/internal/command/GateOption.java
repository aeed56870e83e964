package dev.neurontest.internal.command;

import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.report.RunReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that enable gates and set their limits. */
final class GateOption {

    private static final Path NONE = Path.of("");

    @Option(
            names = "--gate",
            arity = "0..1",
            fallbackValue = "",
            preprocessor = AttachedValue.class,
            paramLabel = "FILE",
            description = "check the run against the limits in this file, which is usually called " + GateRules.FILE)
    private @Nullable Path file;

    @Option(
            names = "--limit",
            paramLabel = "GATE=VALUE",
            completionCandidates = LimitCandidates.class,
            description = "a limit that overrides the file, such as hardware.min=40; checks the run as --gate does")
    private List<String> limits = List.of();

    boolean isGiven() {
        return file != null || !limits.isEmpty();
    }

    /** Returns the file of the limits, if one is named. */
    Optional<Path> file() {
        return Optional.ofNullable(file).filter(name -> !name.equals(NONE));
    }

    /**
     * Returns the limits. Called at the start, before long work.
     *
     * @throws dev.neurontest.internal.gate.GateRulesException when a limit cannot be parsed
     */
    GateRules rules() {
        GateRules rules = file().map(GateRules.ofDefaults()::withFile).orElseGet(GateRules::ofDefaults);
        return limits.isEmpty() ? rules : rules.withAssignments(limits);
    }

    JudgedRun judge(RunReport report, GateRules rules) {
        return new JudgedRun(report, isGiven() ? rules.decide(report) : List.of(), Optional.empty(), Optional.empty());
    }
}
