package dev.neurontest.internal.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.configuration.BadSettingException;
import dev.neurontest.internal.configuration.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardingTest {

    private final Map<String, String> parameters = new HashMap<>();
    private final Map<String, String> environment = new HashMap<>();

    @TempDir
    private Path folder;

    private Optional<Sharding> sharding() {
        return Sharding.of(Settings.of(name -> Optional.ofNullable(parameters.get(name))), environment);
    }

    private Path report(String tests) throws IOException {
        return Files.writeString(folder.resolve("neuron-report.json"), """
                {"version": 1, "kind": "neuron-report", "jvms": [{"file": "x"}], "tests": [%s], "notices": []}
                """.formatted(tests));
    }

    private static String test(String id, String more) {
        return "{\"jvm\": 0, \"id\": \"%s\", %s, \"recordings\": [{\"id\": 7}]}".formatted(id, more);
    }

    @Test
    void isAbsentWithoutSettingDespiteEngine() {
        // given
        environment.putAll(Map.of("CI_NODE_INDEX", "1", "CI_NODE_TOTAL", "4"));

        // then
        assertThat(sharding()).isEmpty();
    }

    @Test
    void readsShardAndSlurmJob() {
        // given
        parameters.put("neuron.test.shard", "3/8");
        environment.putAll(Map.of("SLURM_JOB_ID", "4711", "SLURM_RESTART_COUNT", "2"));

        // when
        Sharding sharding = sharding().orElseThrow();

        // then
        assertThat(sharding.shard()).isEqualTo(new Shard(3, 8));
        assertThat(sharding.attempt()).isEqualTo(new JobAttempt("Slurm job 4711", 2));
        assertThat(sharding.timings()).isEqualTo(Timings.NONE);
        assertThat(sharding.notices()).isEmpty();
    }

    /** Verifies the name of squeue and scontrol, which finds the task. */
    @Test
    void readsArrayTaskAndNode() {
        // given
        parameters.put("neuron.test.shard", "3/8");
        environment.putAll(Map.of(
                "SLURM_JOB_ID",
                "4714",
                "SLURM_ARRAY_JOB_ID",
                "4711",
                "SLURM_ARRAY_TASK_ID",
                "3",
                "SLURMD_NODENAME",
                "node-7"));

        // then
        assertThat(sharding().orElseThrow().attempt()).isEqualTo(new JobAttempt("Slurm job 4711_3 on node-7", 0));
    }

    @Test
    void reportsIgnoredEngines() {
        // given
        parameters.put("neuron.test.shard", "auto");
        environment.putAll(Map.of("CI_NODE_INDEX", "2", "CI_NODE_TOTAL", "4"));
        environment.putAll(Map.of("CIRCLE_NODE_INDEX", "0", "CIRCLE_NODE_TOTAL", "1"));

        // then
        assertThat(sharding().orElseThrow().notices())
                .containsExactly(
                        "This is shard 2/4 according to the variables of GitLab. The variables of CircleCI are also set, but ignored.");
    }

    @Test
    void touchesShardStatusFileOfBazel() {
        // given
        parameters.put("neuron.test.shard", "auto");
        Path status = folder.resolve("status");
        environment.putAll(
                Map.of("TEST_SHARD_INDEX", "0", "TEST_TOTAL_SHARDS", "2", "TEST_SHARD_STATUS_FILE", status.toString()));

        // when
        Sharding sharding = sharding().orElseThrow();

        // then
        assertThat(status).isEmptyFile();
        assertThat(sharding.notices()).isEmpty();

        // when
        environment.put("TEST_SHARD_STATUS_FILE", folder.resolve("none/status").toString());

        // then
        assertThat(sharding().orElseThrow().notices())
                .singleElement()
                .asString()
                .contains("none/status of Bazel (TEST_SHARD_STATUS_FILE) could not be touched");
    }

    @Test
    void refusesAutoWithoutEngine() {
        // given
        parameters.put("neuron.test.shard", "auto");

        // then
        assertThatExceptionOfType(BadSettingException.class)
                .isThrownBy(this::sharding)
                .withMessageStartingWith(
                        "neuron.test.shard is \"auto\" (from JUnit configuration parameter neuron.test.shard): no engine provides the number of this shard")
                .withMessageEndingWith("Correct it, or remove it for the default: none.");
    }

    @Test
    void sumsTestTimesPerClassWithoutWaits() throws IOException {
        // given
        parameters.put("neuron.test.shard", "1/2");
        parameters.put(
                "neuron.test.shard.timings",
                report(String.join(
                                ",",
                                test(
                                        "[engine:junit-jupiter]/[class:a.A]/[method:t()]",
                                        "\"container\": false, \"tookNanos\": 30, \"waitedNanos\": 10"),
                                test(
                                        "[engine:junit-jupiter]/[class:a.A]/[nested-class:In]/[method:u()]",
                                        "\"container\": false, \"tookNanos\": 5, \"waitedNanos\": 0"),
                                test(
                                        "[engine:junit-jupiter]/[class:a.A]",
                                        "\"container\": true, \"tookNanos\": 100, \"waitedNanos\": 0"),
                                test(
                                        "[engine:junit-jupiter]/[class:a.B$In]/[method:v()]",
                                        "\"container\": false, \"tookNanos\": 1, \"waitedNanos\": 0")))
                        .toString());

        // when
        Timings timings = sharding().orElseThrow().timings();

        // then
        assertThat(timings.nanos()).containsOnly(Map.entry("a.A", 25L), Map.entry("a.B", 1L));
        assertThat(timings.hash()).matches("[0-9a-f]{16}");

        // when
        String before = timings.hash();
        Files.writeString(
                folder.resolve("neuron-report.json"), Files.readString(folder.resolve("neuron-report.json")) + "\n");

        // then
        assertThat(sharding().orElseThrow().timings().hash()).isNotEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "->",
            value = {
                "{\"kind\": \"other\", \"tests\": []} -> is not a neuron-report.json, which neuron-test report --json writes",
                "[] -> is not a neuron-report.json, which neuron-test report --json writes",
                "{\"kind\": \"neuron-report\", \"tests\": []} -> contains no test of a class",
                "{\"kind\": \"neuron-report\", \"tests\": [ -> cannot be read: Unexpected end-of-input",
            })
    void refusesTimingsFileThatIsNoReport(String content, String reason) throws IOException {
        // given
        Path file = Files.writeString(folder.resolve("other.json"), content);
        parameters.put("neuron.test.shard", "1/2");
        parameters.put("neuron.test.shard.timings", file.toString());

        // then
        assertThatExceptionOfType(BadSettingException.class)
                .isThrownBy(this::sharding)
                .withMessageStartingWith("neuron.test.shard.timings is \"" + file)
                .withMessageContaining(": " + file + " " + reason);
    }

    @Test
    void refusesMissingTimingsFile() {
        // given
        Path file = folder.resolve("missing.json");
        parameters.put("neuron.test.shard", "1/2");
        parameters.put("neuron.test.shard.timings", file.toString());

        // then
        assertThatExceptionOfType(BadSettingException.class)
                .isThrownBy(this::sharding)
                .withMessageContaining("there is no file " + file);
    }

    @Test
    void codeHashChangesWithClassFilesOnly() throws IOException {
        // given
        Path classes = Files.createDirectories(folder.resolve("classes/a"));
        Files.writeString(classes.resolve("A.class"), "1");
        Files.writeString(classes.resolve("notes.txt"), "not looked at");
        String before = SuiteCode.of(folder.resolve("classes"));

        // then: other files than classes are no code
        Files.writeString(classes.resolve("notes.txt"), "still not looked at");
        assertThat(SuiteCode.of(folder.resolve("classes"))).isEqualTo(before);

        // then: another content, another name
        Files.writeString(classes.resolve("A.class"), "2");
        String changed = SuiteCode.of(folder.resolve("classes"));
        Files.move(classes.resolve("A.class"), classes.resolve("B.class"));
        assertThat(SuiteCode.of(folder.resolve("classes")))
                .isNotEqualTo(changed)
                .isNotEqualTo(before);
        assertThat(changed).isNotEqualTo(before);
        assertThat(SuiteCode.of(folder.resolve("missing.jar"))).isEqualTo("unknown");
    }
}
