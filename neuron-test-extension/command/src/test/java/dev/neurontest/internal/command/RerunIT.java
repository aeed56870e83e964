package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.internal.text.ShellText;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.jvm.MavenProgram;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs of the command that is printed below each failed test. Another shell runs it, without the settings of the first one, and with
 * the other shard. The test ends as it did first.
 */
class RerunIT {

    private static final String FOLDER = "it's a \"folder\" of $HOME";

    /** A name that Java cannot write, but Kotlin and Groovy can. */
    private static final String QUOTED = "it's \"50 %\" & $HOME # | `x` * ? (of 3, + 2)";

    private static final String PLACEHOLDER = "q".repeat(QUOTED.length());

    private static final String TESTS = """
                @RepeatedTest(3) @NeuronTest @ExpectCounter(value = "inference_count", min = 2)
                void repeated(RepetitionInfo repetition, NeuronCore core, dev.neurontest.fake.FakeNeuronHost fake) {
                    executes(core, fake, repetition.getCurrentRepetition() == 2 ? 1 : 2).close();
                }
                @Test @NeuronTest @ExpectCounter(value = "inference_count", delta = 2)
                void %s(NeuronCore core, dev.neurontest.fake.FakeNeuronHost fake) {
                    executes(core, fake, 1).close();
                }
                @Nested @NeuronTest class Inner {
                    @Test @ExpectCounter(value = "inference_count", delta = 2)
                    void waits(NeuronCore core, dev.neurontest.fake.FakeNeuronHost fake) {
                        executes(core, fake, 2);
                    }
                }
                private static dev.neurontest.fake.FakeProcess executes(
                        NeuronCore core, dev.neurontest.fake.FakeNeuronHost fake, int times) {
                    var physical = fake.core(core);
                    var process = fake.openProcess("python3", physical);
                    process.execute(physical, times);
                    return process;
                }
            """.formatted(PLACEHOLDER);

    /** A driver that counts when a process ends. */
    private static final String PLATFORM = "fake:trn1.2xlarge@driver-2.29";

    private static final Map<String, String> SETTINGS = Map.of(
            "NEURON_TEST_PLATFORM", PLATFORM,
            "NEURON_TEST_UNDECIDED", "counters = abort, noisy = fail",
            "NEURON_TEST_SHARD", "1/2");

    @TempDir
    private static Path shared;

    private static Path classes;
    private static Shell shell;
    private static Ended first;

    /** The end of a command in a shell. */
    private record Ended(int status, String out) {

        /** Returns the command that is printed below a test. */
        String rerun(String test) {
            Matcher printed = Pattern.compile(
                            "^\\w+ +[^\n]*" + Pattern.quote(test)
                                    + "[^\n]*\n(?:  [^\n]*\n)*?  rerun: ((?:[^\n]*\\\\\n)*[^\n]*)\n",
                            Pattern.MULTILINE)
                    .matcher(out);
            assertThat(printed.find())
                    .as("a command below %s in:\n%s", test, out)
                    .isTrue();
            return printed.group(1);
        }
    }

    /** The result of a test, as far as it must be the same in each run. */
    private record Result(String id, TestOutcome outcome, List<Violation> violations, List<String> undecided) {

        static List<Result> in(Path runFiles, String name) {
            return RunReports.merge(List.of(runFiles)).tests().stream()
                    .filter(test -> test.isTest() && test.id().name().contains(name))
                    .map(Result::of)
                    .toList();
        }

        private static Result of(ReportedTest test) {
            return new Result(
                    test.id().id(),
                    test.outcome(),
                    test.violations(),
                    test.undecided().stream().map(Undecided::subject).toList());
        }
    }

    /** A shell with the programs {@code neuron-test} and {@code mvn} of this build. */
    private record Shell(Path folder) {

        static Shell in(Path folder) throws IOException {
            Path bin = Files.createDirectories(folder.resolve("bin"));
            program(bin.resolve("neuron-test"), JvmCommand.program(NeuronTestCommand.class));
            if (MavenProgram.find().isPresent()) {
                program(bin.resolve("mvn"), SurefireProjectFixture.offline());
            }
            return new Shell(folder);
        }

        private static void program(Path file, List<String> command) throws IOException {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.writeString(file, "#!/bin/sh\nexec " + ShellText.of(command) + " \"$@\"\n");
        }

        Ended run(Path directory, String command, Map<String, String> settings) throws Exception {
            Path out = Files.createTempFile(folder, "out", ".txt");
            ProcessBuilder builder = new ProcessBuilder("sh", "-c", command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile());
            Map<String, String> environment = builder.environment();
            environment.keySet().removeIf(name -> name.startsWith("NEURON_TEST_"));
            environment.putAll(settings);
            environment.put("JAVA_HOME", System.getProperty("java.home"));
            environment.put("MAVEN_OPTS", String.join(" ", JvmCommand.QUICK));
            environment.merge("PATH", folder.resolve("bin") + ":", (path, bin) -> bin + path);
            Process process = builder.start();
            try {
                assertThat(process.waitFor(5 * Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            } finally {
                process.destroyForcibly();
            }
            return new Ended(process.exitValue(), Files.readString(out));
        }
    }

    @BeforeAll
    static void runAll() throws Exception {
        classes = classes(shared.resolve(FOLDER));
        shell = Shell.in(shared);
        first = shell.run(
                shared,
                "neuron-test run -cp " + ShellText.of(classes.toString())
                        + " --scan-class-path --config neuron.test.output=first"
                        + " --jvm-option=-XX:TieredStopAtLevel=1 --config neuron.test.print.settle='60 ms'",
                SETTINGS);
        assertThat(first.status()).as(first.out()).isOne();
    }

    private static Path classes(Path folder) throws IOException {
        Path compiled = UserTestsFixture.with(folder, TESTS).classes();
        Path file = compiled.resolve("acme/BertTest.class");
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        Files.writeString(file, bytes.replace(PLACEHOLDER, QUOTED), StandardCharsets.ISO_8859_1);
        return compiled;
    }

    /** Runs a command in a shell that has another shard and none of the other settings. */
    private static Ended inAnotherShell(Path directory, String command, Path output) throws Exception {
        return shell.run(
                directory, command, Map.of("NEURON_TEST_SHARD", "2/2", "NEURON_TEST_OUTPUT", output.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"repetition 2 of 3", QUOTED, "waits"})
    void repeatsResult(String test) throws Exception {
        // given
        List<Result> expected = Result.in(shared.resolve("first"), test);
        Path output = shared.resolve("again " + test.hashCode());

        // when
        Ended again = inAnotherShell(shared, first.rerun(test), output);

        // then
        assertThat(expected).hasSize(1);
        assertThat(Result.in(output, "")).as(again.out()).isEqualTo(expected);
    }

    @Test
    @DisabledIf("hasDevices")
    void failsAgainWithoutRequiredHardware() throws Exception {
        // given a project with a fake
        Path files = Files.createDirectories(shared.resolve("files"));
        Files.writeString(files.resolve("junit-platform.properties"), "neuron.test.platform=" + PLATFORM);
        String tests = " -cp " + ShellText.of(classes + ":" + files) + " -m 'acme.BertTest#repeated[1]'";
        Path output = shared.resolve("none");
        Ended missing = shell.run(
                shared, "neuron-test run --platform real --config neuron.test.output=first-none" + tests, SETTINGS);

        // when
        Ended again = inAnotherShell(shared, missing.rerun("repeated"), output);

        // then
        assertThat(missing.out()).contains("driver not loaded");
        assertThat(again.out()).contains("driver not loaded");
        assertThat(Result.in(output, "")).hasSize(1).isEqualTo(Result.in(shared.resolve("first-none"), ""));
    }

    static boolean hasDevices() {
        return Files.exists(Path.of("/sys/devices/virtual/neuron_device"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"repetition 2 of 3", QUOTED})
    void repeatsResultWithMaven(String test) throws Exception {
        // given
        assumeTrue(MavenProgram.find().isPresent(), "no mvn in PATH");
        Path project = Files.createDirectories(shared.resolve("project " + test.hashCode()));
        SurefireProjectFixture.with(project, 1);
        Files.move(
                classes(shared.resolve("classes of Maven " + test.hashCode())),
                Files.createDirectories(project.resolve("target")).resolve("test-classes"));
        Ended build = shell.run(project, "mvn test", SETTINGS);
        Path runFiles = project.resolve("target/neuron-test");
        CommandFixture report = CommandFixture.run("report", runFiles.toString());
        Path output = shared.resolve("again with Maven " + test.hashCode());

        // when
        String command = new Ended(report.status(), report.out()).rerun(test);
        Ended again = inAnotherShell(project, command, output);

        // then
        assertThat(build.status()).as(build.out()).isOne();
        assertThat(again.status()).as(again.out()).isOne();
        assertThat(Result.in(output, test)).hasSize(1).isEqualTo(Result.in(runFiles, test));
    }
}
