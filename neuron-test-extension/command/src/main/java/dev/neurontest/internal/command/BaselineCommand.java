package dev.neurontest.internal.command;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.internal.baseline.BaselineEntry;
import dev.neurontest.internal.baseline.history.BaselineChange;
import dev.neurontest.internal.baseline.history.BaselineCommandText;
import dev.neurontest.internal.baseline.history.BaselinePolicy;
import dev.neurontest.internal.baseline.history.BaselineProposals;
import dev.neurontest.internal.baseline.history.BaselineStore;
import dev.neurontest.internal.command.run.CommandException;
import dev.neurontest.internal.command.run.ExitStatus;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.internal.text.CountText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command that shows baselines and proposals, and accepts proposals. */
@Command(
        name = "baseline",
        exitCodeList = {"2:no COMMAND is given"},
        description = "Shows baselines and the proposals of runs, and accepts proposals.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  neuron-test baseline diff",
            "  neuron-test baseline approve --only BertTest --note \"compiler 2.24 spills more\"",
            "  neuron-test baseline approve --prune"
        })
final class BaselineCommand extends Subcommand {

    private static final Map<Setting<?>, String> OPTIONS =
            Map.of(Setting.BASELINE_DIRECTORY, "--directory", Setting.OUTPUT, "--output");

    private static final String SESSION = "baseline approve";

    @Option(
            names = "--directory",
            scope = ScopeType.INHERIT,
            paramLabel = "DIR",
            description = "the folder of the baselines; the default is neuron.test.baseline.directory")
    private @Nullable Path directory;

    @Option(
            names = "--output",
            scope = ScopeType.INHERIT,
            paramLabel = "DIR",
            description = "the folder of the run files and proposals; the default is neuron.test.output")
    private @Nullable Path output;

    @Option(
            names = "--only",
            scope = ScopeType.INHERIT,
            paramLabel = "TEXT",
            description =
                    "only those with this text in their class, test and metric, such as 'com.acme.BertTest#infers() total_time'")
    private String only = "";

    @Override
    public Integer call() {
        return help();
    }

    @Command(
            name = "show",
            description = "Lists the baselines.",
            mixinStandardHelpOptions = true,
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:the baselines were listed", "2:the folder or a baseline cannot be read"})
    int show() {
        BaselineStore store = store(settings());
        requireFolder(
                store.directory(),
                "There is no folder of baselines",
                "Set it with --directory or neuron.test.baseline.directory. If there is none yet, neuron-test baseline approve --note 'why'"
                        + " creates it from the proposals of a run.");
        BaselineStore.Contents contents = store.contents();
        if (contents.entries().isEmpty() && contents.problems().isEmpty()) {
            print("no baselines in %s\n".formatted(store.directory()));
            return ExitStatus.PASSED;
        }
        List<BaselineEntry> chosen = contents.entries().stream()
                .filter(entry -> isChosen(entry.key()))
                .toList();
        print(BaselineCommandText.show(store.directory(), new BaselineStore.Contents(chosen, contents.problems())));
        return contents.problems().isEmpty() ? ExitStatus.PASSED : ExitStatus.COULD_NOT_RUN;
    }

    @Command(
            name = "diff",
            description = "Shows the proposals of the last runs next to the baselines.",
            mixinStandardHelpOptions = true,
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:the proposals were listed", "2:there is no run, or a file cannot be read"})
    int diff(
            @Option(names = "--note", paramLabel = "TEXT", defaultValue = "", description = "the note for 'approve'")
                    String note) {
        BaselineProposals proposals = proposals(settings());
        print(BaselineCommandText.diff(
                proposals, proposals.changes().stream().filter(this::isChosen).toList(), note));
        return ExitStatus.PASSED;
    }

    @Command(
            name = "approve",
            description = "Turns proposals into baselines, even if CI is set. Worse values need a note.",
            mixinStandardHelpOptions = true,
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:all chosen proposals were accepted",
                "1:a chosen proposal was not accepted, or --only chose none",
                "2:there is no run, a file cannot be read or written, or nothing was pruned after an incomplete run"
            })
    int approve(
            @Option(
                            names = "--note",
                            paramLabel = "TEXT",
                            defaultValue = "",
                            description = "why baselines change; stored in their files")
                    String note,
            @Option(names = "--early", description = "also accept improvements measured in fewer than three sessions")
                    boolean early,
            @Option(
                            names = "--prune",
                            description =
                                    "also remove baselines of metrics that the last run of their class did not measure; only after a whole run")
                    boolean prune) {
        if (directory != null) {
            OutputFiles.requireParent("--directory", directory);
        }
        Settings settings = settings();
        BaselineStore store = store(settings);
        BaselineProposals proposals = proposals(settings);
        BaselineProposals.Approval approval = proposals.approve(this::isChosen, note, early);
        print(BaselineCommandText.approved(store, proposals, approval));
        if (prune) {
            prune(store, settings);
        }
        boolean named = !only.isEmpty() && !prune;
        return approval.remaining().isEmpty() && !(named && approval.written().isEmpty())
                ? ExitStatus.PASSED
                : ExitStatus.FAILED;
    }

    private void prune(BaselineStore store, Settings settings) {
        RunReport report = RunReports.merge(List.of(settings.value(Setting.OUTPUT)));
        long notPassed = report.tests().stream()
                .filter(test -> test.outcome() != TestOutcome.PASSED)
                .count();
        if (notPassed > 0 || !report.problems().isEmpty()) {
            throw new CommandException(
                    "Nothing was pruned, because the run is incomplete: %s did not pass, and %s could not be read. Prune after a whole run that passed."
                            .formatted(
                                    CountText.of(notPassed, "test"),
                                    CountText.of(report.problems().size(), "thing")));
        }
        Set<BaselineKey> measured = report.tests().stream()
                .flatMap(test -> test.comparisons().stream())
                .map(Comparison::key)
                .collect(Collectors.toSet());
        List<BaselineEntry> orphans = store.orphans(measured).stream()
                .filter(entry -> isChosen(entry.key()))
                .toList();
        print(BaselineCommandText.orphans(store, orphans));
        orphans.forEach(entry -> store.remove(entry.key(), entry.stack()));
        print("Removed.\n");
    }

    private boolean isChosen(BaselineChange change) {
        return isChosen(change.proposed().key());
    }

    private boolean isChosen(BaselineKey key) {
        return key.toString().contains(only);
    }

    private Settings settings() {
        Map<String, String> given = new TreeMap<>();
        Optional.ofNullable(directory).ifPresent(path -> given.put(Setting.BASELINE_DIRECTORY.name(), path.toString()));
        Optional.ofNullable(output).ifPresent(path -> given.put(Setting.OUTPUT.name(), path.toString()));
        return Settings.of(given, OPTIONS);
    }

    private static BaselineStore store(Settings settings) {
        return BaselineStore.in(settings.value(Setting.BASELINE_DIRECTORY));
    }

    /** Reads the proposals. Proposals can exist without baselines, but not without a run. */
    private static BaselineProposals proposals(Settings settings) {
        requireFolder(
                settings.value(Setting.OUTPUT),
                "There is no folder of a run",
                "Set it with --output or neuron.test.output, or run the tests first.");
        return BaselineProposals.of(
                store(settings),
                settings.value(Setting.OUTPUT),
                BaselinePolicy.of(settings, System.getenv(), LocalDate::now, SESSION));
    }

    private static void requireFolder(Path folder, String problem, String advice) {
        if (!Files.isDirectory(folder)) {
            throw new CommandException("%s: %s %s. %s"
                    .formatted(
                            problem,
                            folder.toAbsolutePath().normalize(),
                            Files.exists(folder) ? "is not a folder" : "does not exist",
                            advice));
        }
    }
}
