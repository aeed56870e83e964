package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.internal.report.ReportedShards;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.jvm.MavenProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of one suite as a whole, in three shards by the command, and in three shards by Surefire with two forks: each
 * test runs once.
 */
class ShardedSuiteIT {

    private static final List<String> NAMES = List.of("Attention", "Bert", "Conv", "Decode", "Embed", "Flash", "Gelu");
    private static final String PLATFORM = "fake:trn1.2xlarge";
    private static final int SHARDS = 2;

    @TempDir
    private static Path shared;

    private static Path classes;
    private static Path whole;

    @TempDir
    private Path folder;

    @BeforeAll
    static void compileAndRunAll() throws IOException {
        classes = Files.createDirectories(shared.resolve("project/target/test-classes"));
        Path sources = Files.createDirectories(shared.resolve("sources"));
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", classes.toString()));
        for (String name : NAMES) {
            Path source = sources.resolve(name + "Test.java");
            Files.writeString(source, """
                    import dev.neurontest.*;
                    import dev.neurontest.device.*;
                    import org.junit.jupiter.api.*;

                    @NeuronTest
                    class %sTest {
                        @Test void one(NeuronCore core) {}
                        @RepeatedTest(2) void several(NeuronCore core) {}
                        @Nested class Inside { @Test void nested(NeuronCore core) {} }
                    }
                    """.formatted(name));
            arguments.add(source.toString());
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .as("javac")
                .isZero();
        whole = shared.resolve("whole");
        CommandFixture all = run(whole);
        assertThat(all.status()).as(all.out() + all.err()).isZero();
        assertThat(tests(whole)).hasSize(NAMES.size() * 4);
    }

    private static CommandFixture run(Path report, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "-cp",
                classes.toString(),
                "--scan-class-path",
                "--platform",
                PLATFORM,
                "--report",
                report.toString(),
                "--gate"));
        JvmCommand.QUICK.forEach(option -> arguments.add("--jvm-option=" + option));
        arguments.addAll(List.of(more));
        return CommandFixture.run(arguments.toArray(String[]::new));
    }

    private static List<String> tests(Path... folders) {
        return RunReports.merge(List.of(folders)).tests().stream()
                .filter(ReportedTest::isTest)
                .map(test -> test.id().id())
                .toList();
    }

    private Path[] shards(String name) {
        return Stream.iterate(1, shard -> shard + 1)
                .limit(SHARDS)
                .map(shard -> folder.resolve(name + shard))
                .toArray(Path[]::new);
    }

    private static void assertComplete(Path... folders) {
        RunReport report = RunReports.merge(List.of(folders));
        assertThat(report.problems()).isEmpty();
        assertThat(ReportedShards.of(report.jvms()).last()).hasSize(folders.length);
        List<String> arguments = new ArrayList<>(List.of("report", "--gate"));
        Stream.of(folders).map(Path::toString).forEach(arguments::add);
        CommandFixture gate = CommandFixture.run(arguments.toArray(String[]::new));
        assertThat(gate.status()).as(gate.out()).isZero();
        assertThat(gate.out()).contains("2 of 2 shards, the longest took ");
    }

    @Test
    void runCommandRunsEachTestInOneShard() {
        // when
        for (int shard = 1; shard <= SHARDS; shard++) {
            CommandFixture one = run(folder.resolve("run" + shard), "--shard", shard + "/" + SHARDS);
            assertThat(one.status()).as(one.out() + one.err()).isZero();
            assertThat(one.out()).contains("GATES PASSED");
        }

        // then
        assertThat(tests(shards("run"))).containsExactlyInAnyOrderElementsOf(tests(whole));
        assertComplete(shards("run"));

        // when
        CommandFixture incomplete =
                CommandFixture.run("report", "--gate", folder.resolve("run1").toString());

        // then
        assertThat(incomplete.status()).isOne();
        assertThat(incomplete.out()).contains("Shard 2 of 2 is missing");
    }

    @Test
    void runCommandWithTimingsRunsEachTestInOneShard() {
        // when
        for (int shard = 1; shard <= SHARDS; shard++) {
            CommandFixture one = run(
                    folder.resolve("timed" + shard),
                    "--shard=" + shard + "/" + SHARDS,
                    "--shard-timings=" + whole.resolve("neuron-report.json"));
            assertThat(one.status()).as(one.out() + one.err()).isZero();
        }

        // then
        assertThat(tests(shards("timed"))).containsExactlyInAnyOrderElementsOf(tests(whole));
        assertComplete(shards("timed"));
        assertThat(RunReports.merge(List.of(shards("timed"))).notices())
                .noneMatch(notice -> notice.contains("another suite"));
    }

    @Test
    void shardWithoutTestsPassesWithMessage() {
        // when
        CommandFixture empty = run(folder.resolve("empty"), "--shard=97/997");

        // then
        assertThat(empty.status()).as(empty.out() + empty.err()).isZero();
        assertThat(empty.out())
                .contains("No test is in shard 97/997. The other shards have the tests.", "GATES PASSED");
    }

    /** Verifies that a shard is refused if the whole suite has no tests. */
    @Test
    void shardOfSuiteWithoutTestsIsRefused() throws IOException {
        // given
        Path nothing = Files.createDirectories(folder.resolve("nothing"));

        // when
        CommandFixture run = CommandFixture.run(
                "run",
                "-cp",
                nothing.toString(),
                "--scan-class-path",
                "--shard=1/2",
                "--config=neuron.test.output=" + folder.resolve("out"));

        // then
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("No tests were found.");
    }

    @Test
    void invalidShardOptionsRunNoTest() {
        // when
        CommandFixture outside = run(folder.resolve("out"), "--shard=9/8");
        CommandFixture missing = run(folder.resolve("out"), "--shard=1/8", "--shard-timings=/nothing/here.json");

        // then
        assertThat(outside.status()).isEqualTo(2);
        assertThat(outside.err()).contains("--shard is \"9/8\": the last shard is 8, which is 8/8.");
        assertThat(missing.status()).isEqualTo(2);
        assertThat(missing.err())
                .contains("--shard-timings is \"/nothing/here.json\": there is no file /nothing/here.json.");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    /** Verifies that the command to repeat a single test runs it in any shard that a shell chooses. */
    @Test
    void rerunCommandRunsTestInAnyShard() throws IOException {
        // given
        UserTestsFixture failing = UserTestsFixture.with(
                folder.resolve("failing"),
                "@Test @NeuronTest void fails(NeuronCore core) { Assertions.fail(\"broken\"); }");

        // when
        CommandFixture run = CommandFixture.run(
                "run",
                "-cp",
                failing.toString(),
                "--scan-class-path",
                "--platform",
                PLATFORM,
                "--report",
                folder.resolve("out").toString(),
                "--shard",
                "1/1",
                "--config=neuron.test.shard.code=abc");

        // then
        assertThat(run.status()).isOne();
        assertThat(run.out())
                .containsPattern("rerun: neuron-test run [^#]*#fails [^#]* --config neuron.test.shard=none\n")
                .doesNotContain("shard.code=abc");
    }

    @Test
    void surefireWithTwoForksRunsEachTestInOneShard() throws Exception {
        // given
        assumeTrue(MavenProgram.find().isPresent(), "no mvn in PATH");
        Path project = classes.resolve("../..").normalize();
        SurefireProjectFixture surefire = SurefireProjectFixture.with(project, 2);

        // when
        for (int shard = 1; shard <= SHARDS; shard++) {
            surefire.test(
                            "-Dneuron.test.platform=" + PLATFORM,
                            "-Dneuron.test.shard=" + shard + "/" + SHARDS,
                            "-Dneuron.test.output=" + folder.resolve("surefire" + shard))
                    .requireSuccess();
        }

        // then
        assertThat(tests(shards("surefire"))).containsExactlyInAnyOrderElementsOf(tests(whole));
        assertComplete(shards("surefire"));

        // when: forks are started for a shard without tests, too, and report it
        surefire.test(
                        "-Dneuron.test.platform=" + PLATFORM,
                        "-Dneuron.test.shard=97/997",
                        "-Dneuron.test.output=" + folder.resolve("empty"))
                .requireSuccess();

        // then
        RunReport empty = RunReports.merge(List.of(folder.resolve("empty")));
        assertThat(empty.tests()).isEmpty();
        assertThat(ReportedShards.of(empty.jvms()).onlyOne()).contains("97/997");
    }
}
