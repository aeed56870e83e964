package dev.neurontest.internal.configuration;

import dev.neurontest.internal.text.DurationText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A setting. This class declares all settings.
 *
 * @param <T> the type of its value
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Setting<T> {

    /** All settings in the order of their declaration. */
    private static final List<Setting<?>> ALL = new ArrayList<>();

    /** The host that the tests run on. */
    public static final Setting<PlatformChoice> PLATFORM = new Setting<>(
            "neuron.test.platform",
            "which host the tests run on: its own devices (auto: skip without them, real: fail without them),"
                    + " a fake, a directory, a recording",
            PlatformChoice.EXPECTED,
            "auto",
            ValueForm.PLATFORM);

    /** The folder for the files of a fake host. Empty for memory if it has enough space, otherwise the folder for temporary files. */
    public static final Setting<Optional<Path>> FAKE_FOLDER = auto(
            "neuron.test.fake.folder",
            "the folder in which a fake host creates a folder for its files",
            "a directory from which programs can be run, or auto",
            "auto: /dev/shm (in memory) if it has enough space, otherwise java.io.tmpdir",
            ValueForm.PATH_OR_AUTO);

    /** The folder for run files. */
    public static final Setting<Path> OUTPUT = new Setting<>(
            "neuron.test.output",
            "the folder for run files",
            "a directory",
            "target/neuron-test next to a pom.xml, build/neuron-test next to a Gradle build, otherwise neuron-test",
            ValueForm.PATH);

    /** The policy for attaching measurements to tests. */
    public static final Setting<EvidencePolicy> EVIDENCE = new Setting<>(
            "neuron.test.evidence",
            "when recordings are attached to tests",
            "always, failure or never",
            "failure",
            ValueForm.EVIDENCE_POLICY);

    /** The policy for keeping a recording of the host if a test does not pass. */
    public static final Setting<RecordPolicy> RECORD = new Setting<>(
            "neuron.test.record",
            "whether the files of the host are recorded around each test, and kept for replay when it does not pass; the first test also reads the whole host, each test reads its devices",
            "never, failure, or redacted: as failure, without serial numbers and the name of the machine",
            "never",
            ValueForm.RECORD_POLICY);

    /** The time between two readings of the devices of a test for a recording. */
    public static final Setting<Duration> RECORD_INTERVAL = duration(
            "neuron.test.record.interval",
            "how long a recording waits between two readings of the devices of a test",
            "100 ms");

    /** The maximum time that a test waits for cores held by others. */
    public static final Setting<Duration> LEASE_TIMEOUT =
            duration("neuron.test.lease.timeout", "how long a test waits for cores that others hold", "10 min");

    /** The directory of the lease table shared by the test JVMs on a host. Empty for the default below the host's root. */
    public static final Setting<Optional<Path>> LEASE_DIRECTORY = new Setting<>(
            "neuron.test.lease.directory",
            "the directory with the table of leases, which all test JVMs on a host must share",
            "an absolute path, or default",
            "tmp/neuron-test-leases below the host's root",
            "default",
            ValueForm.LEASE_DIRECTORY);

    /** The policy for cores on a device that is open in a process without a lease. */
    public static final Setting<OtherOwnersPolicy> LEASE_OWNERS = new Setting<>(
            "neuron.test.lease.owners",
            "how cores are treated if their device is open in a process without a lease, as far as proc shows it",
            "avoid, warn or ignore",
            "avoid; warn on a fake host of the JVM",
            ValueForm.OTHER_OWNERS_POLICY);

    /** True if the device of a quarantined core may be reset to check whether the core works again. */
    public static final Setting<Boolean> QUARANTINE_RESET = new Setting<>(
            "neuron.test.quarantine.reset",
            "whether the device of a quarantined core is reset when no process has it open, which requires root",
            "true or false",
            "false; true on a fake host of the JVM",
            ValueForm.TRUTH);

    /** True if tests with declared causes may run again after a hardware failure. */
    public static final Setting<Boolean> RETRY = truth(
            "neuron.test.retry",
            "whether tests annotated with @RetryOnAnotherCore are run again after a hardware failure",
            "true");

    /** The invocation to run of tests with several invocations; empty for all. */
    public static final Setting<OptionalInt> INVOCATION = new Setting<>(
            "neuron.test.invocation",
            "the only invocation that runs of each Neuron test that is parameterized, repeated or @ForEachCore; the others are skipped, and a number that matches no invocation fails",
            "a number from 1, as reports and JUnit count them, or all",
            "all",
            ValueForm.INVOCATION);

    /** The part of the suite that runs in this JVM. */
    public static final Setting<ShardChoice> SHARD = new Setting<>(
            "neuron.test.shard",
            "the shard of the suite that runs here: whole classes, chosen only by their names and the timings file; other classes are left out",
            ShardChoice.EXPECTED,
            "none",
            ValueForm.SHARD);

    /** The report of durations that balances the shards; empty to use a hash of the names. */
    public static final Setting<Optional<Path>> SHARD_TIMINGS = new Setting<>(
            "neuron.test.shard.timings",
            "the neuron-report.json of an earlier run; its durations determine how classes are spread over the shards, so all shards need the same file",
            "a file, or none",
            "none",
            ValueForm.PATH_OR_NONE);

    /** The name of the version of the code under test; empty to use a hash of the class files. */
    public static final Setting<Optional<String>> SHARD_CODE = auto(
            "neuron.test.shard.code",
            "the name of the tests' code, such as its revision; a report uses it to detect shards of different code",
            "a word, or auto",
            "auto: a hash of the class files in the folder or jar of the tests",
            ValueForm.TEXT_OR_AUTO);

    /** The id of the run that a JVM is part of; empty to read it from the environment of the CI server. */
    public static final Setting<Optional<String>> RUN = auto(
            "neuron.test.run",
            "the id of the run that a JVM belongs to; a report uses it to detect run files of several runs",
            "a word, or auto",
            "auto: the run of GitHub, GitLab, Jenkins or Azure, the job of Slurm, or the build that started the JVM",
            ValueForm.TEXT_OR_AUTO);

    /** The policy for violated expectations on counters that several processes may have changed. */
    public static final Setting<AttributionPolicy> ATTRIBUTION = new Setting<>(
            "neuron.test.attribution",
            "how an expectation is judged if a counter of the whole device violates it while another process uses the device",
            "strict (violated) or tolerant (undecided)",
            "strict",
            ValueForm.ATTRIBUTION_POLICY);

    /**
     * The time between two readings that must be equal before counters count as settled. Empty to wait only where a process has a
     * device open.
     */
    public static final Setting<Optional<Duration>> SETTLE_INTERVAL = auto(
            "neuron.test.settle.interval",
            "the time between two readings that must be equal before counters count as settled; auto waits only where a"
                    + " process has a device open",
            DurationText.EXPECTED + ", or auto",
            "auto: 10 ms on files, 0 in process",
            ValueForm.DURATION_OR_AUTO);

    /** The maximum time to wait until counters are settled. */
    public static final Setting<Duration> SETTLE_TIMEOUT =
            duration("neuron.test.settle.timeout", "how long to wait for counters to settle", "2 s");

    /** The policies for tests with undecided expectations, by kind of expectation. */
    public static final Setting<UndecidedPolicies> UNDECIDED = new Setting<>(
            "neuron.test.undecided",
            "the result of a test with an undecided expectation, by the kind of expectation",
            UndecidedPolicies.EXPECTED,
            UndecidedPolicies.DEFAULT,
            ValueForm.UNDECIDED_POLICIES);

    /** The policy for tests that need a tool or a library, if none can be used. */
    public static final Setting<MissingToolPolicy> MISSING = new Setting<>(
            "neuron.test.missing",
            "the result of tests that need a profiler tool, or the runtime in this JVM, if none can be used",
            "fail or skip",
            "fail",
            ValueForm.MISSING_TOOL_POLICY);

    /** The path of the profiler tool; empty to search for one. */
    public static final Setting<Optional<Path>> PROFILER = auto(
            "neuron.test.profiler",
            "which profiler tool is used",
            "the path of a neuron-explorer or neuron-profile, or auto",
            "auto: neuron-explorer, then neuron-profile",
            ValueForm.PATH_OR_AUTO);

    /** The maximum duration of a call of the profiler tool; empty to calculate it from the sizes of its files. */
    public static final Setting<Optional<Duration>> PROFILE_DEADLINE = auto(
            "neuron.test.profile.deadline",
            "how long one call of the profiler tool may take",
            DurationText.EXPECTED + ", or auto",
            "auto: 15 min and more for large files",
            ValueForm.DURATION_OR_AUTO);

    /** The maximum share of an execution that the device may be throttled. Above it, expectations on times are in doubt. */
    public static final Setting<Double> PROFILE_THROTTLE = new Setting<>(
            "neuron.test.profile.throttle",
            "the share of an execution that the device may be throttled before expectations on times are in doubt",
            "a percentage such as 5 %",
            "5 %",
            ValueForm.SHARE);

    /** The maximum number of times that a throttled capture is repeated. */
    public static final Setting<Integer> PROFILE_RECAPTURES = new Setting<>(
            "neuron.test.profile.recaptures",
            "how often a throttled capture is repeated",
            "a number from 0 to 100",
            "2",
            ValueForm.RECAPTURES);

    /** The cores that the runtime in this JVM takes for the whole session. */
    public static final Setting<RuntimeCores> RUNTIME_CORES = new Setting<>(
            "neuron.test.runtime.cores",
            "the NeuronCores that the runtime in this JVM takes for the whole session; tests that use the runtime get their cores from these",
            "a number of cores in a row, or their indices such as 4-7",
            "1",
            ValueForm.RUNTIME_CORES);

    /** The path of libnrt; empty to search for one. */
    public static final Setting<Optional<Path>> RUNTIME_LIBRARY = auto(
            "neuron.test.runtime.library",
            "which libnrt is loaded into this JVM",
            "the path of a libnrt.so.1, or auto",
            "auto: opt/aws/neuron/lib below the host's root",
            ValueForm.PATH_OR_AUTO);

    /** The maximum duration of an execution of the runtime in this JVM. */
    public static final Setting<Duration> RUNTIME_TIMEOUT = duration(
            "neuron.test.runtime.timeout",
            "how long an execution in this JVM may take, in whole seconds (NEURON_RT_EXEC_TIMEOUT of the runtime)",
            "30 s");

    /** The moment at which the runtime in this JVM is closed. */
    public static final Setting<RuntimeClosing> RUNTIME_CLOSE = new Setting<>(
            "neuron.test.runtime.close",
            "when the runtime in this JVM is closed: at the end, or before the counters of each test are judged, because older drivers update counters only then; opening it again is not verified",
            "session or test",
            "session",
            ValueForm.RUNTIME_CLOSING);

    /** The policy for a test that leaves models or tensors of the runtime open. */
    public static final Setting<LeakPolicy> RUNTIME_LEAKS = new Setting<>(
            "neuron.test.runtime.leaks",
            "the result of a test that leaves models or tensors of the runtime in this JVM open",
            "fail or notice",
            "fail",
            ValueForm.LEAK_POLICY);

    /** The time without new data after which a debug stream counts as complete. */
    public static final Setting<Duration> PRINT_SETTLE = duration(
            "neuron.test.print.settle",
            "how long a debug stream must be quiet before its prints count as complete",
            "50 ms");

    /** The maximum time to wait until debug streams have no new data. */
    public static final Setting<Duration> PRINT_TIMEOUT =
            duration("neuron.test.print.timeout", "how long to wait for debug streams to become quiet", "2 s");

    /** The way to collect the prints of workloads. */
    public static final Setting<WorkloadPrints> PRINT_WORKLOADS = new Setting<>(
            "neuron.test.print.workloads",
            "how the prints of workloads are collected: from the files that frameworks write below"
                    + " NEURON_RT_DEBUG_OUTPUT_DIR, or by a reader inside Python workloads",
            "files or python",
            "files",
            ValueForm.WORKLOAD_PRINTS);

    /** The number of physical cores of a logical NeuronCore; empty for the default of the instance type. */
    public static final Setting<OptionalInt> LNC = new Setting<>(
            "neuron.test.lnc",
            "how many physical cores one logical NeuronCore is (NEURON_LOGICAL_NC_CONFIG of the runtime)",
            "1, 2 or default (of the instance type)",
            "default",
            ValueForm.LNC);

    /** The mapping from the runtime's core numbers to physical cores. */
    public static final Setting<CoreNumbering> CORE_MAP = new Setting<>(
            "neuron.test.core.map",
            "how the runtime's core numbers map to the neuron_core directories of a device",
            "by-family, identity, trn2, trn2-flipped, trn3-pds or trn3-pds-2-26",
            "by-family",
            ValueForm.CORE_NUMBERING);

    /** The folder of the baseline files. */
    public static final Setting<Path> BASELINE_DIRECTORY = new Setting<>(
            "neuron.test.baseline.directory",
            "the folder with the baseline files, which belong in the repository",
            "a directory",
            "src/test/resources/neuron-baselines",
            ValueForm.PATH);

    /** The baselines that a run may write. */
    public static final Setting<BaselineUpdate> BASELINE_UPDATE = new Setting<>(
            "neuron.test.baseline.update",
            "which baselines this run writes; none if the environment variable CI is set, except to false or 0; the others are proposed",
            "none or missing",
            "none",
            ValueForm.BASELINE_UPDATE);

    /** The numbers of runs after which a comparison is judged. */
    public static final Setting<List<Integer>> BASELINE_RUNS = new Setting<>(
            "neuron.test.baseline.runs",
            "after how many runs a comparison with a baseline is decided if possible; more runs are made only while it is undecided",
            "rising numbers from 2 to 1000, such as 5, 10, 20",
            "5, 10, 20",
            ValueForm.RISING_NUMBERS);

    /** True if attachments are printed for CI servers. */
    public static final Setting<Boolean> ATTACHMENT_LINES = truth(
            "neuron.test.attachment.lines",
            "whether a line [[ATTACHMENT|path]] is printed for each attachment, which some CI servers parse",
            "false");

    /** True if a summary is printed at the end of each JVM that used Neuron. */
    public static final Setting<Boolean> SUMMARY = truth(
            "neuron.test.summary", "whether a summary is printed at the end of each JVM that used Neuron", "true");

    /** The settings that only select tests or name where output goes. */
    private static final Set<Setting<?>> OF_WHOLE_RUN =
            Set.of(OUTPUT, INVOCATION, SHARD, SHARD_TIMINGS, SHARD_CODE, RUN, ATTACHMENT_LINES, SUMMARY);

    private final String name;
    private final String meaning;
    private final String expected;
    private final String byDefault;
    private final String defaultText;
    private final ValueForm form;

    private Setting(String name, String meaning, String expected, String byDefault, ValueForm form) {
        this(name, meaning, expected, byDefault, byDefault, form);
    }

    private Setting(
            String name, String meaning, String expected, String byDefault, String defaultText, ValueForm form) {
        this.name = name;
        this.meaning = meaning;
        this.expected = expected;
        this.byDefault = byDefault;
        this.defaultText = defaultText;
        this.form = form;
        ALL.add(this);
    }

    private static <T> Setting<Optional<T>> auto(
            String name, String meaning, String expected, String byDefault, ValueForm form) {
        return new Setting<>(name, meaning, expected, byDefault, "auto", form);
    }

    private static Setting<Boolean> truth(String name, String meaning, String byDefault) {
        return new Setting<>(name, meaning, "true or false", byDefault, ValueForm.TRUTH);
    }

    private static Setting<Duration> duration(String name, String meaning, String byDefault) {
        return new Setting<>(name, meaning, DurationText.EXPECTED, byDefault, ValueForm.DURATION);
    }

    /** Returns all settings in their order of declaration, which is also the order in listings. */
    public static List<Setting<?>> all() {
        return List.copyOf(ALL);
    }

    /**
     * Returns the name of the JUnit configuration parameter and of the system property.
     *
     * @return for example {@code neuron.test.platform}
     */
    public String name() {
        return name;
    }

    /**
     * Returns the name of the environment variable.
     *
     * @return for example {@code NEURON_TEST_PLATFORM}
     */
    public String environmentVariable() {
        return name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /**
     * Returns the description of the setting.
     *
     * @return a phrase
     */
    public String meaning() {
        return meaning;
    }

    /**
     * Returns the description of the accepted texts.
     *
     * @return a phrase
     */
    public String expected() {
        return expected;
    }

    /**
     * Returns the description of the default.
     *
     * @return the text of the default value, or the way to find it
     */
    public String byDefault() {
        return byDefault;
    }

    /** Returns true if the setting only selects tests or names where output goes: a run of one test again needs other values. */
    public boolean isOfWholeRun() {
        return OF_WHOLE_RUN.contains(this);
    }

    /**
     * Parses a value from another source.
     *
     * @param text as described by {@link #expected()}
     * @throws IllegalArgumentException if the text is invalid; the message contains the reason
     */
    @SuppressWarnings("unchecked") // The form creates values of the type of the setting.
    public T read(String text) {
        return (T) form.parse(text);
    }

    @Override
    public String toString() {
        return name;
    }

    String defaultText(Settings settings) {
        if (this == OUTPUT) {
            return outputIn(settings.workingDirectory());
        }
        if (this == LEASE_OWNERS) {
            return settings.value(PLATFORM).ofThisJvm() ? "warn" : "avoid";
        }
        if (this == QUARANTINE_RESET) {
            return Boolean.toString(settings.value(PLATFORM).ofThisJvm());
        }
        return defaultText;
    }

    ConfiguredValue<T> parse(String text, Origin origin, String writtenAs) {
        try {
            return new ConfiguredValue<>(this, read(text), text, origin, writtenAs);
        } catch (IllegalArgumentException e) {
            throw new BadSettingException(this, text, origin, writtenAs, e.getMessage());
        }
    }

    private static String outputIn(Path workingDirectory) {
        if (Files.exists(workingDirectory.resolve("pom.xml"))) {
            return "target/neuron-test";
        }
        for (String file : List.of("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")) {
            if (Files.exists(workingDirectory.resolve(file))) {
                return "build/neuron-test";
            }
        }
        return "neuron-test";
    }
}
