package dev.neurontest.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
                .containsPattern("ok {6}BertTest > answers\\(\\) \\(\\d+ ms\\)\n")
                .contains("skipped BertTest > waits(): needs a trn2\n")
                .contains("2 tests: 1 passed, 1 skipped in ");
        assertThat(run.err()).contains("careful\n");
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
    void namesTheMethodThatWasProbablyMeant() throws IOException {
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

    @Test
    void saysHowOneInvocationIsRunAgain() throws Exception {
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
                              --jvm-option=-Dbad=2 \\
                              '--jvm-option=-Dtext=it'\\''s -Dtext' \\
                              --config 'junit.jupiter.displayname.generator.default=org.junit.jupiter.api.DisplayNameGenerator$Simple' \\
                              -m 'acme.BertTest#infers[2]' \\
                              --platform 'fake:trn1.2xlarge?view=in-process&user=root'""".formatted(tests));
        assertThat(words).contains("--jvm-option=-Dtext=it's -Dtext");
        assertThat(again.out()).contains("repetition 2 of 3").contains("1 test: 1 failed");
        assertThat(again.status()).isEqualTo(1);
    }

    /** As a shell reads them. */
    private static List<String> wordsOf(String command) throws IOException {
        Process shell = new ProcessBuilder("sh", "-c", "printf '%s\\n' " + command).start();
        return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
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
