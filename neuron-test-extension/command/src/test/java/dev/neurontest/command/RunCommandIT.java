package dev.neurontest.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests in a JVM of their own, which has the class path of this one behind that of the user. */
class RunCommandIT {

    @TempDir
    private Path folder;

    private CommandFixture run(UserTestsFixture tests, String... more) {
        List<String> arguments = new ArrayList<>(List.of("run", "-cp", tests.toString()));
        arguments.addAll(List.of(more));
        return CommandFixture.run(arguments.toArray(String[]::new));
    }

    @Test
    void endsWellWhenAllTestsPass() throws IOException {
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
    void hasALineForEachTestWhenAsked() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test void answers() {}
                        @Test @Disabled("needs a trn2") void waits() {}
                """);

        // when
        CommandFixture run = run(tests, "--scan-class-path", "--details=all", "--color=always");

        // then
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("\u001b\\[32mok     \u001b\\[0m BertTest > answers\\(\\) \\(\\d+ ms\\)\n")
                .contains("\u001b[33mskipped\u001b[0m BertTest > waits(): needs a trn2\n");
    }

    @Test
    void letsNoTestColourOrMoveTheCursor() throws IOException {
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
                // JUnit 6 has replaced what JUnit 5 leaves to this program.
                .containsPattern(
                        "\u001b\\[31mFAILED \u001b\\[0m BertTest > evil (\\\\u001b|\uFFFD)\\[2J(\\\\u001b|\uFFFD)\\[32mok")
                .contains("\\u001b[31mred\\u001b[0m\n")
                .contains("\\u001b[32mall is well");
        assertThat(run.out().replaceAll("\u001b\\[(31mFAILED|31m1 failed|0m)", ""))
                .doesNotContain("\u001b");
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
                UserTestsFixture.CLASS + "#infers(dev.neurontest.device.NeuronCore)",
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
    void isNotGreenWhenATestEndsTheJvm() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test void a() { System.exit(0); }
                """);

        // when
        CommandFixture run = run(tests, "-c", UserTestsFixture.CLASS);

        // then
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("The JVM of the tests ended before its tests did, with exit code 0.");
    }

    @Test
    void endsTheJvmWhenItTakesTooLong() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, """
                        @Test void a() throws Exception { new java.util.concurrent.CountDownLatch(1).await(); }
                """);

        // when
        CommandFixture run = run(tests, "-c", UserTestsFixture.CLASS, "--timeout", "2 s");

        // then
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("The JVM of the tests was not done after 2 s (--timeout) and was ended.");
    }

    @Test
    void cannotRunWhereTheJvmDoesNotStart() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, "");

        // when
        CommandFixture run = run(tests, "-c", UserTestsFixture.CLASS, "--jvm-option=-XX:NoSuchOption");

        // then
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("NoSuchOption").contains("The JVM of the tests did not start");
    }

    @Test
    void wantsToKnowWhichTests() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, "");

        // when
        CommandFixture run = run(tests);

        // then
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).startsWith("Say which tests to run: --scan-class-path for all");
    }

    @Test
    void refusesASettingThatItCannotUnderstandBeforeAJvmIsStarted() throws IOException {
        // given
        UserTestsFixture tests = UserTestsFixture.with(folder, "");

        // when
        CommandFixture run = run(tests, "--scan-class-path", "--platform", "fakee:trn1.2xlarge");

        // then
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("neuron.test.platform is \"fakee:trn1.2xlarge\"")
                .doesNotContain("\tat ");
    }

    @Test
    void refusesATimeoutWithoutUnit() {
        // when
        CommandFixture run = CommandFixture.run("run", "-cp", ".", "--scan-class-path", "--timeout", "20");

        // then
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("'20': the unit is missing. Expected a duration such as");
    }
}
