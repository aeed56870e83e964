package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.text.LogCommandsFixture;
import dev.neurontest.jvm.JvmCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests in a separate JVM, with the class path of the user before that of this JVM. */
class RunCommandIT {

    @TempDir
    private Path folder;

    private CommandFixture run(UserTestsFixture tests, String... more) {
        List<String> arguments = new ArrayList<>(List.of("run", "-cp", tests.toString()));
        JvmCommand.QUICK.forEach(option -> arguments.add("--jvm-option=" + option));
        arguments.addAll(List.of(more));
        return CommandFixture.run(arguments.toArray(String[]::new));
    }

    @Test
    void exitsWith0WhenAllTestsPass() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test void answers() { System.out.println("hello"); System.err.println("careful"); }
                        @Test @Disabled("needs a trn2") void waits() {}
                """);

        // when
        CommandFixture run = run(tests, "--scan-class-path");

        // then
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("hello\n")
                .contains("skipped 1 test: needs a trn2\n  BertTest > waits()\n")
                .doesNotContain("ok  ")
                .contains("2 tests: 1 passed, 1 skipped in ");
        assertThat(run.err()).contains("careful\n");
    }

    @Test
    void addsDuckDbJarToClassPathOfTests() throws IOException {
        // given
        Path jar = Files.writeString(folder.resolve("duckdb_jdbc-9.jar"), "");
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test void looks() { System.out.println("reader of tables: " + System.getProperty("java.class.path").contains("%s")); }
                """.formatted(jar));

        // then
        assertThat(run(tests, "--scan-class-path", "--duckdb", jar.toString()).out())
                .contains("reader of tables: true\n");
        assertThat(run(tests, "--scan-class-path").out()).contains("reader of tables: false\n");
        CommandFixture missing = run(tests, "--scan-class-path", "--duckdb", jar + ".none");
        assertThat(missing.status()).isEqualTo(2);
        assertThat(missing.err())
                .isEqualTo("--duckdb: %s.none is not a file. Use the jar of org.duckdb:duckdb_jdbc:2.0.0.1.\n", jar);
    }

    @Test
    void escapesTerminalSequencesOfTests() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test @DisplayName("evil \\u001b[2J\\u001b[32mok") void fails() {
                            System.out.println("\\u001b[31mred\\u001b[0m");
                            Assertions.fail("\\u001b[32mall is well");
                        }
                """);

        // when
        CommandFixture run = run(tests, "--scan-class-path", "--details=all", "--color=always");

        // then
        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(run.out())
                // JUnit 6 escapes the name itself; JUnit 5 leaves that to this program.
                .containsPattern(
                        "\u001b\\[31mFAILED \u001b\\[0m BertTest > evil (\\\\u001b|\uFFFD)\\[2J(\\\\u001b|\uFFFD)\\[32mok")
                .contains("\\u001b[31mred\\u001b[0m\n")
                .contains("\\u001b[32mall is well");
        assertThat(run.out().replaceAll("\u001b\\[(31mFAILED|31m1 failed|0m)", ""))
                .doesNotContain("\u001b");
    }

    @Test
    void escapesCiCommandsOfTests() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test @DisplayName("x\\n::error::y") void fails() {
                            System.out.println("::error::printed");
                            System.out.println("##vso[task.complete result=Succeeded]printed");
                            System.err.println("##teamcity[printed]");
                            Assertions.fail("x\\n::error::y\\n  ##[error]y\\n##teamcity[y]\\nsection_start:1:y\\r\\u001b[0K");
                        }
                        @Test void givesUp() { Assumptions.abort("::error::y"); }
                        @Test @Disabled("\\n::error::y") void isOff() {}
                """);

        // when
        CommandFixture run = run(tests, "--scan-class-path", "--details=all");

        // then
        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(run.out()).contains(":\\u003aerror::printed", "\n:\\u003aerror::y\n");
        LogCommandsFixture.assertNoCommand(run.out() + "\n" + run.err());
    }

    @Test
    void leasesCoresOfTheChosenPlatform() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test @NeuronTest void infers(NeuronCore core) { System.out.println(core.name()); }
                """);
        Path output = folder.resolve("output");

        // when
        CommandFixture run = run(
                tests,
                "-m",
                UserTestsFixture.CLASS + "#infers",
                "--platform",
                "fake:trn1.2xlarge",
                "--config",
                "neuron.test.output=" + output);

        // then
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("neuron0/neuron_core");
        try (Stream<Path> files = Files.list(output)) {
            assertThat(files).anyMatch(file -> file.getFileName().toString().endsWith(".jsonl"));
        }
    }

    @Test
    void suggestsMethodForMisspeltOne() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test void infers() {}
                """);

        // when
        CommandFixture run = run(tests, "-m", UserTestsFixture.CLASS + "#infer");

        // then
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).isEqualTo("acme.BertTest has no method infer. Did you mean infers?\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--platform=fake:trn1.2xlrge | from --platform: no instance type \"trn1.2xlrge\"; did you mean trn1.2xlarge",
                "--platform=fake:trn1.2xlarge@driver-2.31 | from --platform: no layout \"driver-2.31\"; did you mean driver-2.",
                "--platform=fake:inf1.xlarge@driver-2.30 | from --platform: inf1.xlarge cannot have layout \"driver-2.30\" with driver 2.30.2.0: drivers from 2.25.4 on do not support Inf1; use one of docs-2023, docs-2025, driver-2.x",
                "--config=neuron.test.platform=fake:trn9 | neuron.test.platform: no instance type \"trn9\"; did you mean",
                "--platform=root:no/host | no/host is not a host root",
                "--platform=replay:no.archive.txt | there is no such file; record it or correct the path",
                "--report=no/such | --report: no/such cannot be written, because no does not exist: create it first.",
                "--gate=no.properties | no.properties: there is no such file or folder"
            })
    void refusesMistakenOptionBeforeTestsRun(String option, String problem) throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test void answers() { System.out.println("it ran"); }
                """);

        // when
        CommandFixture run = run(tests, "--scan-class-path", option);

        // then
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(problem).doesNotContain("Exception");
    }

    @Test
    void exitsWith2WhenGateHasNoRunFile() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test void answers() { }
                        @Test void fails() { Assertions.assertNull(System.getProperty("broken")); }
                """);

        // when
        CommandFixture passed = run(tests, "--scan-class-path", "--gate");
        CommandFixture failed = run(tests, "--scan-class-path", "--gate", "--jvm-option=-Dbroken=yes");

        // then
        assertThat(passed.status()).as(passed.err()).isEqualTo(2);
        assertThat(passed.out()).contains("2 tests: 2 passed", "GATES FAILED", "ran: ");
        assertThat(failed.status()).as(failed.err()).isEqualTo(1);
        assertThat(failed.out()).contains("1 failed", "GATES FAILED");
    }

    @Test
    void comparesRunWithPreviousReport() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test @NeuronTest void infers(NeuronCore core) {
                            org.junit.jupiter.api.Assertions.assertNull(System.getProperty("broken"));
                        }
                """);
        Path output = folder.resolve("output");
        String[] arguments = {
            "--scan-class-path",
            "--platform",
            "fake:trn1.2xlarge",
            "--report",
            output.toString(),
            "--compare",
            output.resolve("neuron-report.json").toString()
        };

        // when
        CommandFixture without = run(tests, arguments);
        CommandFixture first = run(tests, Arrays.copyOf(arguments, 5));
        CommandFixture second = run(tests, concat(arguments, "--jvm-option=-Dbroken=yes"));
        CommandFixture third = run(tests, arguments);

        // then the earlier report is read before it is replaced
        assertThat(without.status()).isEqualTo(2);
        assertThat(without.err()).contains("neuron-report.json: there is no such file or folder");
        assertThat(without.out()).isEmpty();
        assertThat(first.status()).as(first.err()).isZero();
        assertThat(second.status()).isEqualTo(1);
        assertThat(second.out()).contains("  newly failing: 1\n    BertTest > infers(): failed, was passed\n");
        assertThat(third.status()).as(third.err()).isZero();
        assertThat(third.out()).contains("  fixed: 1\n    BertTest > infers(): passed, was failed\n");
        assertThat(output.resolve("neuron-report.html")).content().contains("<summary>fixed: 1</summary>");
        assertThat(output.resolve("neuron-report.json")).content().contains("\"comparison\":{");
        assertThat(output.resolve("neuron-report.md")).content().contains("**fixed: 1**");
    }

    @Test
    void reportsTestGoneSincePreviousRun() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test @NeuronTest void infers(NeuronCore core) { }
                        @Test void answers() { }
                """);
        Path output = folder.resolve("output");
        String previous = output.resolve("neuron-report.json").toString();

        // when
        CommandFixture before =
                run(tests, "--scan-class-path", "--platform", "fake:trn1.2xlarge", "--report", output.toString());
        CommandFixture now = run(tests, "-m", UserTestsFixture.CLASS + "#answers()", "--compare", previous);

        // then no test of this run used Neuron
        assertThat(before.status()).as(before.err()).isZero();
        assertThat(now.status()).as(now.err()).isZero();
        assertThat(now.out()).contains("  gone: 1\n    BertTest > infers(): was passed\n");
    }

    private static String[] concat(String[] arguments, String more) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = more;
        return all;
    }

    @Test
    void printsCommandThatRerunsOneInvocation() throws Exception {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @RepeatedTest(3) @NeuronTest void infers(RepetitionInfo repetition, NeuronCore core) {
                            Assertions.assertNotEquals(System.getProperty("bad"), "" + repetition.getCurrentRepetition());
                        }
                """);
        CommandFixture first = run(
                tests,
                "-c",
                UserTestsFixture.CLASS,
                "--platform",
                "fake:trn1.2xlarge",
                "--jvm-option=-Dbad=2",
                "--jvm-option=-Dtext=it's -Dtext",
                "--config",
                "junit.jupiter.displayname.generator.default=org.junit.jupiter.api.DisplayNameGenerator$Simple",
                "--report",
                folder.resolve("first").toString());
        assertThat(first.out()).contains("3 tests: 2 passed, 1 failed");

        // when
        Matcher rerun = Pattern.compile("  rerun: ((?:.*\\\\\n)*.*)\n").matcher(first.out());
        assertThat(rerun.find()).isTrue();
        String command = rerun.group(1);
        List<String> words = wordsOf(command);
        CommandFixture again = CommandFixture.run(words.subList(1, words.size()).toArray(String[]::new));

        // then
        assertThat(command).isEqualTo("""
                        neuron-test run -cp %s \\
                              --jvm-option=-XX:TieredStopAtLevel=1 \\
                              --jvm-option=-XX:+UseSerialGC \\
                              --jvm-option=-Dbad=2 \\
                              '--jvm-option=-Dtext=it'\\''s -Dtext' \\
                              --config 'junit.jupiter.displayname.generator.default=org.junit.jupiter.api.DisplayNameGenerator$Simple' \\
                              -m 'acme.BertTest#infers[2]' \\
                              --platform fake:trn1.2xlarge""".formatted(tests));
        assertThat(words).contains("--jvm-option=-Dtext=it's -Dtext");
        assertThat(again.out()).contains("repetition 2 of 3").contains("1 test: 1 failed");
        assertThat(again.status()).isEqualTo(1);
    }

    /** Returns the words of a command as a shell reads them. */
    private static List<String> wordsOf(String command) throws IOException {
        Process shell = new ProcessBuilder("sh", "-c", "printf '%s\\n' " + command).start();
        return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    @Test
    void isNotGreenWhenAShutdownHookHaltsTheJvm() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test void a() { Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(7))); }
                """);

        // when
        CommandFixture run = run(tests, "-c", UserTestsFixture.CLASS);

        // then
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains(
                        "The JVM of the tests ended with exit code 7 after its tests, but the tests require exit code 0:")
                .doesNotContain("are lost");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 96})
    void isNotGreenWhenATestEndsTheJvm(int code) throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test void a() { System.exit(%s); }
                """.formatted(code));

        // when
        CommandFixture run = run(tests, "-c", UserTestsFixture.CLASS);

        // then
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("The JVM of the tests ended before its tests did, with exit code " + code);
    }

    @Test
    void replacesEarlierResultsWhenJvmDies() throws IOException {
        // given
        Path reports = folder.resolve("reports");
        UserTestsFixture good = UserTestsFixture.with(folder, """
                        @Test void a() {}
                """);
        run(good, "-c", UserTestsFixture.CLASS, "--reports-dir", reports.toString());
        Path results = reports.resolve("TEST-neuron-test.xml");
        assertThat(results).content().contains("errors=\"0\"");
        UserTestsFixture dies = UserTestsFixture.with(folder, """
                        @Test void a() { Runtime.getRuntime().halt(0); }
                """);

        // when
        CommandFixture run = run(dies, "-c", UserTestsFixture.CLASS, "--reports-dir", reports.toString());

        // then
        assertThat(run.status()).isEqualTo(1);
        assertThat(results)
                .content()
                .contains("errors=\"1\"", "The JVM of the tests did not write its results")
                .doesNotContain("BertTest");
    }

    @Test
    void replacesEarlierResultsWhenTestsAreRefused() throws IOException {
        // given
        Path reports = folder.resolve("reports");
        UserTestsFixture good = UserTestsFixture.with(folder, """
                        @Test void a() {}
                """);
        run(good, "-c", UserTestsFixture.CLASS, "--reports-dir", reports.toString());

        // when
        CommandFixture run = run(
                good, "-c", UserTestsFixture.CLASS, "--reports-dir=" + reports, "--config=neuron.test.invocation=0");

        // then
        assertThat(run.status()).isEqualTo(2);
        assertThat(reports.resolve("TEST-neuron-test.xml"))
                .content()
                .contains("errors=\"1\"")
                .doesNotContain("BertTest");
    }

    @Test
    void writesAnErrorWhereNoTestIsFound() throws IOException {
        // given
        Path reports = folder.resolve("reports");
        UserTestsFixture none = UserTestsFixture.with(folder, """
                        @Test private void a() {}
                """);

        // when
        CommandFixture run = run(none, "-c", UserTestsFixture.CLASS, "--reports-dir", reports.toString());

        // then
        assertThat(run.status()).isEqualTo(2);
        assertThat(reports.resolve("TEST-neuron-test.xml"))
                .content()
                .contains("<error message=\"No test ran, or not all selected tests ran.");
    }

    @Test
    void namesTheNearestSettingForAMisspeltOne() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test void a() {}
                """);

        // when
        CommandFixture run = run(tests, "-c", UserTestsFixture.CLASS, "--config", "neuron.test.platfrom=real");

        // then
        assertThat(run.status()).isZero();
        assertThat(run.err())
                .contains(
                        "warning: configuration parameter neuron.test.platfrom is not a setting and has no effect; did you"
                                + " mean neuron.test.platform?");
    }

    @Test
    void endsJvmAfterTimeout() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test void a() throws Exception { new java.util.concurrent.CountDownLatch(1).await(); }
                """);

        // when
        CommandFixture run = run(tests, "-c", UserTestsFixture.CLASS, "--timeout", "2 s");

        // then
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("The JVM of the tests did not finish within 2 s (--timeout) and was ended.");
    }

    @Test
    void exitsWith2WhenJvmDoesNotStart() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, "");

        // when
        CommandFixture run = run(tests, "-c", UserTestsFixture.CLASS, "--jvm-option=-XX:NoSuchOption");

        // then
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("NoSuchOption").contains("The JVM of the tests did not start");
    }

    /** Verifies that the JVM ends, although JUnit's thread for timeouts would keep it alive. */
    @Test
    void endsWhenJUnitGivesUpAfterATimeout() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test @Timeout(value = 20, unit = java.util.concurrent.TimeUnit.MILLISECONDS)
                        void a() throws Exception { Thread.sleep(600_000); }
                        @Test void b() { throw new OutOfMemoryError("simulated"); }
                        @Test @NeuronTest void c(NeuronCore core) {}
                """);

        // when
        CommandFixture run = run(
                tests,
                "--scan-class-path",
                "--timeout=120 s",
                "--platform=fake:trn1.2xlarge",
                "--report=" + folder.resolve("report"),
                "--reports-dir=" + folder.resolve("reports"),
                "--gate");

        // then
        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(folder.resolve("reports").resolve("TEST-neuron-test.xml"))
                .content()
                .contains("BertTest", "<error message=\"JUnit gave up after java.lang.OutOfMemoryError: simulated.");
        assertThat(run.err())
                .contains("JUnit gave up after this error. Tests that it had not run are missing above.")
                .contains("java.lang.OutOfMemoryError: simulated")
                .doesNotContain("--timeout");
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains(
                        "JUnit gave up during BertTest > b(), for example after an OutOfMemoryError: 1 planned test is lost: BertTest > c(")
                .contains("lost.max: expected no lost test, was 1 lost test: BertTest > c()");
    }
}
