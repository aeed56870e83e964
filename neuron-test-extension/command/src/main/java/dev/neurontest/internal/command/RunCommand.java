package dev.neurontest.internal.command;

import dev.neurontest.internal.command.run.ClassPath;
import dev.neurontest.internal.command.run.DetailsOption;
import dev.neurontest.internal.command.run.ExitStatus;
import dev.neurontest.internal.command.run.TestRun;
import dev.neurontest.internal.command.run.TestSelection;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.report.compare.ComparedRun;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.internal.shard.Sharding;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** The command that runs tests in a separate JVM. */
@Command(
        name = "run",
        exitCodeList = {
            "0:all tests and gates passed",
            "1:a test or a gate failed",
            "2:the tests could not run, or there were none"
        },
        description = {
            "Runs JUnit tests in a separate JVM with the JUnit of their class path; this program adds the parts of JUnit that are missing there.",
            "Options of JUnit's console launcher have the same names here."
        },
        footer = {
            "",
            "Examples:",
            "  neuron-test run -cp 'target/test-classes:libs/*' --scan-class-path \\",
            "      --platform fake:trn1.2xlarge",
            "  neuron-test run -cp ... -m com.acme.BertTest#infers --platform real \\",
            "      --jvm-option=-Xmx4g",
            "  neuron-test run -cp ... -p com.acme -T slow --timeout '20 min' \\",
            "      --report target/neuron --gate",
            "",
            "The class path of a Maven project: mvn dependency:build-classpath -Dmdep.outputFile=classpath.txt"
        })
final class RunCommand extends Subcommand {

    /** Options that set a setting. */
    private static final Map<String, Setting<?>> SETTINGS = Map.of(
            HostOption.NAME,
            Setting.PLATFORM,
            "--report",
            Setting.OUTPUT,
            "--shard",
            Setting.SHARD,
            "--shard-timings",
            Setting.SHARD_TIMINGS);

    /** Settings that are no part of the options for a repeated run. It has the platform of the run file, or a recording of it. */
    private static final Set<String> NOT_REPEATED = Setting.all().stream()
            .filter(setting -> setting == Setting.PLATFORM || setting.isOfWholeRun())
            .map(Setting::name)
            .collect(Collectors.toUnmodifiableSet());

    @Option(
            names = {"-cp", "--class-path", "--classpath"},
            required = true,
            paramLabel = "PATH",
            description =
                    "folders and jars of the tests and their dependencies, separated by ':'; 'folder/*' means all jars in a folder")
    private List<String> classPath = List.of();

    @Option(
            names = "--scan-class-path",
            arity = "0..1",
            fallbackValue = "",
            preprocessor = AttachedValue.class,
            paramLabel = "PATH",
            description = "search for tests in these folders or jars; without a value in all folders of the class path")
    private @Nullable String scan;

    @Option(
            names = {"-c", "--select-class"},
            paramLabel = "CLASS",
            description = "a test class by its full name")
    private List<String> classes = List.of();

    @Option(
            names = {"-m", "--select-method"},
            paramLabel = "CLASS#METHOD",
            description =
                    "a test method, such as com.acme.BertTest#infers for all methods of that name, com.acme.BertTest#infers(int),"
                            + " or com.acme.BertTest#infers[3] for its third invocation")
    private List<String> methods = List.of();

    @Option(
            names = {"-p", "--select-package"},
            paramLabel = "PACKAGE",
            description = "the tests of a package and of those below it")
    private List<String> packages = List.of();

    @Option(
            names = {"-t", "--include-tag"},
            paramLabel = "TAG",
            description = "only tests that match this tag or tag expression")
    private List<String> includedTags = List.of();

    @Option(
            names = {"-T", "--exclude-tag"},
            paramLabel = "TAG",
            description = "exclude tests that match this tag or tag expression")
    private List<String> excludedTags = List.of();

    @Option(
            names = {"-n", "--include-classname"},
            paramLabel = "PATTERN",
            description = "only classes with a full name that matches this regular expression; the default is "
                    + TestSelection.TEST_CLASSES)
    private List<String> classNames = List.of();

    @Option(
            names = "--config",
            paramLabel = "KEY=VALUE",
            description = "a configuration parameter of JUnit, or a setting")
    private Map<String, String> config = new LinkedHashMap<>();

    @Option(
            names = "--reports-dir",
            paramLabel = "DIR",
            description = "write TEST-neuron-test.xml for CI servers to this folder")
    private @Nullable Path reportsDirectory;

    @Option(
            names = HostOption.NAME,
            paramLabel = "HOST",
            completionCandidates = PlatformCandidates.class,
            description =
                    "which host the tests run on: auto, real, fake:trn1.32xlarge, root:/some/folder (neuron.test.platform)")
    private @Nullable String platform;

    @Option(
            names = "--shard",
            paramLabel = "SHARD",
            description =
                    "run one shard of the tests: 3/8 for the third of 8, or auto for the numbers that the engine of the job sets (neuron.test.shard)")
    private @Nullable String shard;

    @Option(
            names = "--shard-timings",
            paramLabel = "FILE",
            description =
                    "balance the shards by the durations in the neuron-report.json of an earlier run (neuron.test.shard.timings)")
    private @Nullable Path shardTimings;

    @Option(
            names = "--jvm-option",
            paramLabel = "OPTION",
            description = "an option for the JVM of the tests, such as --jvm-option=-Xmx4g")
    private List<String> jvmOptions = List.of();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description = "end the JVM of the tests after this duration, such as '20 min'")
    private @Nullable Duration timeout;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description =
                    "write run files to this folder (neuron.test.output), and neuron-report.html, .json and .md of this run")
    private @Nullable Path reportFolder;

    @Option(
            names = "--details",
            paramLabel = "WHICH",
            description = "which tests get a line: failures, the default, or all")
    private DetailsOption details = DetailsOption.FAILURES;

    @Mixin
    private CompareOption compare = new CompareOption();

    @Mixin
    private GateOption gate = new GateOption();

    @Mixin
    private DuckDbOption duckDb = new DuckDbOption();

    @Override
    public Integer call() throws IOException {
        CommandLine commands = line();
        OutputFiles files = new OutputFiles()
                .input("--gate", gate.file().orElse(null))
                .earlierReport("--shard-timings", shardTimings);
        compare.addTo(files);
        if (reportsDirectory != null) {
            OutputFiles.folder("--reports-dir", reportsDirectory);
            TestRun.removeResults(reportsDirectory);
        }
        classNames.forEach(this::checkPattern);
        Map<Setting<?>, String> options = new HashMap<>();
        for (OptionSpec option : commands.getParseResult().matchedOptions()) {
            Optional.ofNullable(SETTINGS.get(option.longestName())).ifPresent(setting -> {
                options.put(setting, option.longestName());
                config.put(setting.name(), option.<Object>getValue().toString());
            });
        }
        // The report of the whole run includes the summary.
        config.putIfAbsent(Setting.SUMMARY.name(), "false");
        Settings settings = Settings.of(config, options);
        Setting.all().forEach(settings::get);
        ClassPath path = ClassPath.of(classPath);
        TestSelection selection = selection(path);
        if (selection.isEmpty()) {
            throw misused(
                    "Select the tests to run: --scan-class-path for all, or --select-class, --select-method, --select-package.");
        }
        TestSelection chosen = Sharding.of(settings, System.getenv())
                .map(sharding -> selection.with(TestSelection.SHARD + sharding.shard()))
                .orElse(selection);
        GateRules rules = gate.rules();
        Optional<ComparedRun> earlier = compare.earlier();
        if (reportFolder != null) {
            OutputFiles.folder("--report", reportFolder);
            ReportFiles.in(reportFolder).addTo(files, Collections.nCopies(3, "--report"));
        }
        Platform.requirePossible(settings);
        RunFolder folder = RunFolder.of(settings.value(Setting.OUTPUT));
        settings.warnings().forEach(warning -> commands.getErr().println("warning: " + warning));
        // The DuckDB jar is last, because a DuckDB in the class path of the tests must come first.
        int tests = new TestRun(
                        path.and(duckDb.jar()), chosen, jvmOptions, rerunOptions(), Optional.ofNullable(timeout))
                .start(
                        commands.getOut(),
                        commands.getErr(),
                        program().terminal(),
                        program().sequences());
        List<Path> written = folder.written();
        if (written.isEmpty() && !gate.isGiven() && earlier.isEmpty()) {
            return tests;
        }
        JudgedRun run = gate.judge(RunReports.mergeOfOneJob(written), rules).comparedWith(earlier);
        print("\n" + run.text(program().style()));
        if (reportFolder != null) {
            ReportFiles.in(reportFolder).write(run, commands.getOut());
        }
        if (tests != ExitStatus.PASSED || run.passed()) {
            return tests;
        }
        // As in the report command, gates do not decide without a run file.
        return written.isEmpty() ? ExitStatus.COULD_NOT_RUN : ExitStatus.FAILED;
    }

    private void checkPattern(String pattern) {
        try {
            Pattern.compile(pattern);
        } catch (PatternSyntaxException wrong) {
            throw misused("--include-classname: '%s' is not a regular expression: %s at index %s"
                    .formatted(pattern, wrong.getDescription(), wrong.getIndex()));
        }
    }

    /** Returns the options as given, without those for the whole run. */
    private List<String> rerunOptions() {
        List<String> options = new ArrayList<>();
        classPath.forEach(entry -> options.addAll(List.of("-cp", entry)));
        duckDb.named().ifPresent(jar -> options.addAll(List.of("--duckdb", jar.toString())));
        jvmOptions.forEach(option -> options.add("--jvm-option=" + option));
        config.forEach((key, value) -> {
            if (!NOT_REPEATED.contains(key)) {
                options.addAll(List.of("--config", key + "=" + value));
            }
        });
        return options;
    }

    private TestSelection selection(ClassPath tests) {
        List<String> words = new ArrayList<>();
        if (scan != null) {
            List<Path> roots = scan.isEmpty()
                    ? tests.folders()
                    : ClassPath.of(List.of(scan)).entries();
            roots.forEach(root -> words.add("scan=" + root));
        }
        classes.forEach(name -> words.add("class=" + name));
        methods.forEach(name -> words.add("method=" + name));
        packages.forEach(name -> words.add("package=" + name));
        includedTags.forEach(tag -> words.add("include-tag=" + tag));
        excludedTags.forEach(tag -> words.add("exclude-tag=" + tag));
        classNames.forEach(pattern -> words.add("include-classname=" + pattern));
        config.forEach((key, value) -> words.add("config=" + key + "=" + value));
        if (reportsDirectory != null) {
            words.add("reports-dir=" + reportsDirectory);
        }
        words.add(TestSelection.DETAILS + details);
        program().style().colours().ifPresent(colours -> words.add(TestSelection.COLOURS + colours.key()));
        return new TestSelection(words);
    }
}
