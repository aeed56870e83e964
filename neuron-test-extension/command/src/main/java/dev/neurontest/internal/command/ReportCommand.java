package dev.neurontest.internal.command;

import dev.neurontest.internal.command.run.CommandException;
import dev.neurontest.internal.command.run.ExitStatus;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.export.OtlpPublisher;
import dev.neurontest.internal.export.Provenance;
import dev.neurontest.internal.export.RunPoints;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.compare.ComparedRun;
import dev.neurontest.internal.report.history.RunHistory;
import dev.neurontest.internal.report.history.RunRecord;
import dev.neurontest.internal.report.merge.RunChoice;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.internal.terminal.Progress;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.VisibleText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that merges run files, writes reports, and evaluates gates. */
@Command(
        name = "report",
        exitCodeList = {
            "0:the run may pass: no gate failed",
            "1:a gate failed",
            "2:nothing was decided: no run file, a wrong option, or a file that cannot be read or written"
        },
        description = {
            "Merges the run files of forks, modules and repeated runs, and shows what happened.",
            "With --gate it checks the run against limits; use it as the last step of a CI job."
        },
        footer = {
            "",
            "Examples:",
            "  neuron-test report",
            "  neuron-test report module-a/target/neuron-test module-b/target/neuron-test \\",
            "      --html report.html --markdown \"$GITHUB_STEP_SUMMARY\"",
            "  neuron-test report --gate=neuron-gate.properties --limit hardware.min=40",
            "  neuron-test report --compare previous/neuron-report.json",
            "  neuron-test report --html report.html --history history",
            "  neuron-test report --otlp http://collector:4318"
        })
final class ReportCommand extends Subcommand {

    /** The end of the name of a file of limits. */
    private static final String RULES = ".properties";

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description =
                    "run files, and folders with run files at any depth; the default is the folder of neuron.test.output")
    private List<Path> files = List.of();

    @Mixin
    private GateOption gate = new GateOption();

    @Mixin
    private CompareOption compare = new CompareOption();

    @Option(
            names = "--run",
            paramLabel = "RUN",
            description =
                    "which of several runs the report covers: newest, all together, or one, the newest if it has run all tests of"
                            + " the others; the default is one")
    private RunChoice run = RunChoice.ONE;

    @Option(names = "--html", paramLabel = "FILE", description = "write one self-contained page")
    private @Nullable Path html;

    @Option(names = "--json", paramLabel = "FILE", description = "write the report as JSON for programs")
    private @Nullable Path json;

    @Option(names = "--markdown", paramLabel = "FILE", description = "write a summary for the page of a CI job")
    private @Nullable Path markdown;

    @Option(
            names = "--history",
            paramLabel = "DIR",
            description = {
                "keep a small record of the run in this folder, and show the trends of the last 30 runs on the page:",
                "duration, failed and flaky tests, and medians of baselines; it does not change the exit code"
            })
    private @Nullable Path history;

    @Option(
            names = "--otlp",
            paramLabel = "URL",
            description = {
                "send the numbers of the run to an OpenTelemetry collector, with the headers of OTEL_EXPORTER_OTLP_HEADERS;",
                "a failure to send them does not change the exit code"
            })
    private @Nullable String collector;

    @Override
    public Integer call() throws IOException {
        Settings settings = Settings.of(name -> Optional.empty());
        settings.warnings().forEach(warning -> line().getErr().println("warning: " + warning));
        files.stream()
                .filter(file -> file.toString().endsWith(RULES) && Files.isRegularFile(file))
                .findFirst()
                .ifPresent(file -> {
                    throw misused("%s is not a run file. If it has the limits of gates, write --gate=%s"
                            .formatted(file, file));
                });
        GateRules rules = gate.rules();
        Optional<OtlpPublisher> publisher = Optional.ofNullable(collector).map(this::publisher);
        ReportFiles written =
                new ReportFiles(Optional.ofNullable(html), Optional.ofNullable(json), Optional.ofNullable(markdown));
        written.addTo(read(), List.of("--html", "--json", "--markdown"));
        if (history != null) {
            OutputFiles.folder("--history", history);
        }
        List<Path> given = files.isEmpty() ? List.of(settings.value(Setting.OUTPUT)) : files;
        Optional<ComparedRun> earlier = compare.earlier();
        RunReport report = read(given);
        if (report.jvms().isEmpty() && !gate.isGiven()) {
            throw noRun(report);
        }
        JudgedRun run = gate.judge(report, rules).comparedWith(earlier);
        if (history != null && !report.jvms().isEmpty()) {
            RunHistory last = RunHistory.with(RunRecord.of(report), history);
            last.warning().ifPresent(text -> line().getErr().println("warning: " + VisibleText.line(text)));
            run = run.with(last);
        }
        print(run.text(program().style()));
        written.write(run, line().getOut());
        RunPoints points = RunPoints.of(report, Provenance.of(System.getenv()), Instant.now());
        publisher.ifPresent(otlp -> print(otlp.publish(points) + "\n"));
        if (report.jvms().isEmpty()) {
            throw noRun(report);
        }
        return run.passed() ? ExitStatus.PASSED : ExitStatus.FAILED;
    }

    private static CommandException noRun(RunReport report) {
        return new CommandException("No run could be read (tests write run files to the folder of neuron.test.output): "
                + String.join("\n", report.problems()));
    }

    /** Returns the files that this command reads. Folders may contain a report of this run, but no file of the run is replaced. */
    private OutputFiles read() {
        OutputFiles read = new OutputFiles().input("--gate", gate.file().orElse(null));
        compare.addTo(read);
        files.stream().filter(Files::isRegularFile).forEach(file -> read.input("FILE", file));
        return read;
    }

    private RunReport read(List<Path> given) {
        AtomicReference<String> words = new AtomicReference<>("searching for run files");
        Progress progress = progress(words::get);
        try {
            return RunReports.merge(
                    given,
                    run,
                    (read, all) -> words.set("read %s of %s".formatted(read, CountText.of(all, "run file"))));
        } finally {
            progress.close();
        }
    }

    private OtlpPublisher publisher(String url) {
        try {
            return new OtlpPublisher(url, System.getenv().getOrDefault("OTEL_EXPORTER_OTLP_HEADERS", ""));
        } catch (IllegalArgumentException wrong) {
            // Without the URL itself, which may contain a password or a token.
            throw misused("--otlp: " + wrong.getMessage());
        }
    }
}
