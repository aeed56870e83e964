package dev.neurontest.internal.command;

import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.report.RunReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that enable gates and set their limits. */
final class GateOption {

    private static final Path NONE = Path.of("");

    @Option(
            names = "--gate",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "FILE",
            description = "check the run against the limits in this file, which is usually called " + GateRules.FILE)
    private @Nullable Path file;

    @Option(
            names = "--limit",
            paramLabel = "GATE=VALUE",
            completionCandidates = LimitCandidates.class,
            description = "a limit that overrides the file, such as hardware.min=40; checks the run as --gate does")
    private List<String> limits = List.of();

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    /**
     * Returns the folder that follows {@code --gate} as a separate word. That word is a folder to read, but picocli takes any next word for
     * an optional value. In {@code --gate=.}, however, the folder is a mistake.
     */
    Optional<Path> folder() {
        Optional<Path> folder = Optional.ofNullable(file)
                .filter(name -> !name.equals(NONE) && Files.isDirectory(name))
                .filter(name -> Objects.requireNonNull(spec)
                        .root()
                        .commandLine()
                        .getParseResult()
                        .originalArgs()
                        .contains("--gate"));
        folder.ifPresent(taken -> file = NONE);
        return folder;
    }

    boolean isGiven() {
        return file != null || !limits.isEmpty();
    }

    /**
     * Returns the limits. Called at the start, before long work.
     *
     * @throws dev.neurontest.internal.gate.GateRulesException when a limit cannot be parsed
     */
    GateRules rules() {
        GateRules rules = GateRules.ofDefaults();
        if (file != null && !file.equals(NONE)) {
            rules = rules.withFile(file);
        }
        return limits.isEmpty() ? rules : rules.withAssignments(limits);
    }

    JudgedRun judge(RunReport report, GateRules rules) {
        return new JudgedRun(report, isGiven() ? rules.decide(report) : List.of(), Optional.empty());
    }
}
