package dev.neurontest.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.neurontest.NeuronTest;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.configuration.BadSettingException;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLine;
import dev.neurontest.internal.evidence.RunLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class ShardFilterTest {

    private static final List<Class<?>> SUITE =
            List.of(ShardedAFixture.class, ShardedBFixture.class, ShardedCFixture.class, ShardedDFixture.class);

    @TempDir
    private Path folder;

    private final Map<String, String> parameters = new HashMap<>();

    /** Runs classes by JUnit's launcher, and returns the name of each test as often as it ran. */
    private List<String> run(Class<?>... classes) {
        List<String> ran = new ArrayList<>();
        try (LauncherSession session = LauncherFactory.openSession()) {
            session.getLauncher().execute(request(classes), new TestExecutionListener() {
                @Override
                public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                    if (test.isTest()) {
                        ran.add(test.getUniqueId());
                    }
                    assertThat(result.getThrowable()).isEmpty();
                }
            });
        }
        return ran;
    }

    private LauncherDiscoveryRequest request(Class<?>... classes) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(classes).map(each -> selectClass(each)).toList())
                .configurationParameter("neuron.test.platform", "fake:trn1.2xlarge")
                .configurationParameter("neuron.test.output", folder.toString())
                .configurationParameter("neuron.test.summary", "false")
                .configurationParameters(parameters)
                .build();
    }

    private List<RunEvent> events() throws IOException {
        List<RunEvent> events = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".jsonl")).toList()) {
                RunLog.read(file).lines().stream().map(RunLine::event).forEach(events::add);
            }
        }
        return events;
    }

    private List<RunEvent.Sharded> sharded() throws IOException {
        return events().stream()
                .filter(RunEvent.Sharded.class::isInstance)
                .map(RunEvent.Sharded.class::cast)
                .toList();
    }

    private static Class<?>[] suite() {
        return SUITE.toArray(Class<?>[]::new);
    }

    private Path timings(Class<?>... longestFirst) throws IOException {
        List<String> tests = IntStream.range(0, longestFirst.length)
                .mapToObj(index ->
                        "{\"id\": \"[engine:junit-jupiter]/[class:%s]/[method:t()]\", \"container\": false, \"tookNanos\": %s}"
                                .formatted(longestFirst[index].getName(), 1000 - index))
                .toList();
        return Files.writeString(
                folder.resolve("timings.json"),
                "{\"kind\": \"neuron-report\", \"tests\": [%s]}".formatted(String.join(",", tests)));
    }

    @Test
    void runsAllTestsAndRecordsNoShardByDefault() throws IOException {
        // when
        List<String> ran = run(suite());

        // then
        assertThat(ran).hasSize(10);
        assertThat(events()).noneMatch(RunEvent.Sharded.class::isInstance);
    }

    @Test
    void allShardsTogetherRunEachTestOnce() {
        // given
        List<String> whole = run(suite());
        List<String> shards = new ArrayList<>();

        // when
        for (int shard = 1; shard <= 3; shard++) {
            parameters.put("neuron.test.shard", shard + "/3");
            shards.addAll(run(suite()));
        }

        // then
        assertThat(shards).containsExactlyInAnyOrderElementsOf(whole);
    }

    @Test
    void classHasSameShardAloneAndInAnyOrder() throws IOException {
        // given
        parameters.put("neuron.test.shard", "1/2");
        parameters.put(
                "neuron.test.shard.timings",
                timings(ShardedDFixture.class, ShardedAFixture.class, ShardedCFixture.class)
                        .toString());
        List<String> together = run(suite());

        // when
        List<Class<?>> backwards = new ArrayList<>(SUITE);
        Collections.reverse(backwards);
        List<String> alone =
                backwards.stream().flatMap(each -> run(each).stream()).toList();

        // then: D is the longest and goes to the first, A and C to the second
        assertThat(alone).containsExactlyInAnyOrderElementsOf(together);
        assertThat(together)
                .anyMatch(id -> id.contains("ShardedDFixture"))
                .noneMatch(id -> id.contains("ShardedAFixture") || id.contains("ShardedCFixture"));
    }

    @Test
    void classKeepsNestedClassesAndInvocations() throws IOException {
        // given
        parameters.put("neuron.test.shard", "1/2");
        parameters.put(
                "neuron.test.shard.timings",
                timings(ShardedAFixture.class, ShardedBFixture.class).toString());

        // then
        assertThat(run(ShardedAFixture.class, ShardedBFixture.class))
                .hasSize(5)
                .allMatch(id -> id.contains("ShardedAFixture"));

        // when
        parameters.put("neuron.test.shard", "2/2");

        // then
        assertThat(run(ShardedAFixture.class, ShardedBFixture.class))
                .hasSize(1)
                .allMatch(id -> id.contains("ShardedBFixture"));
    }

    @Test
    void emptyShardWritesRunFile() throws IOException {
        // given
        parameters.put("neuron.test.shard", "2/2");
        parameters.put(
                "neuron.test.shard.timings", timings(ShardedAFixture.class).toString());

        // when
        List<String> ran = run(ShardedAFixture.class);

        // then
        assertThat(ran).isEmpty();
        assertThat(sharded())
                .singleElement()
                .satisfies(its -> assertThat(its.shard() + "/" + its.count()).isEqualTo("2/2"))
                .satisfies(its -> assertThat(its.timed()).isTrue())
                .satisfies(its -> assertThat(its.timings()).hasSize(16))
                .satisfies(its -> assertThat(its.code()).matches("[0-9a-f]{16}"));
        assertThat(events()).last().isEqualTo(new RunEvent.RunFinished(0, 0, 0, 0, 0));
    }

    @Test
    void recordsCodeFromSetting() throws IOException {
        // given
        parameters.put("neuron.test.shard", "1/1");
        parameters.put("neuron.test.shard.code", "8a3b21a4");

        // when
        run(ShardedBFixture.class);

        // then
        assertThat(sharded()).extracting(RunEvent.Sharded::code).containsExactly("8a3b21a4");
    }

    @Test
    void impossibleShardRunsNoTest() throws IOException {
        // given
        parameters.put("neuron.test.shard", "9/8");

        // then
        assertThatExceptionOfType(BadSettingException.class)
                .isThrownBy(() -> run(ShardedAFixture.class))
                .withMessageStartingWith("neuron.test.shard is \"9/8\" (from JUnit configuration parameter"
                        + " neuron.test.shard): the last shard is 8, which is 8/8.");
        assertThat(events()).isEmpty();
    }

    /** Verifies that a failed discovery leaves no state for the next one. */
    @Test
    void impossibleShardDoesNotAffectNextRequest() {
        // given
        parameters.put("neuron.test.shard", "9/8");
        assertThatExceptionOfType(BadSettingException.class).isThrownBy(() -> run(ShardedAFixture.class));
        parameters.clear();

        // then
        assertThat(run(ShardedAFixture.class)).hasSize(5);
    }

    /**
     * Verifies the system property alone: an old JUnit has no discovery events, which leaves configuration parameters
     * unknown.
     */
    @Test
    void readsSystemPropertyWithoutDiscovery() {
        // given
        EngineDescriptor engine = new EngineDescriptor(UniqueId.forEngine("an-engine"), "an engine");

        // then
        assertThat(new ShardFilter().apply(engine).included()).isTrue();

        // when
        System.setProperty("neuron.test.shard", "0/8");

        // then
        try {
            assertThatExceptionOfType(BadSettingException.class)
                    .isThrownBy(() -> new ShardFilter().apply(engine))
                    .withMessageContaining("the first shard is 1");
        } finally {
            System.clearProperty("neuron.test.shard");
        }
    }

    @Test
    void propertyHasNameOfSetting() {
        // then
        assertThat(ShardDiscovery.PROPERTY).isEqualTo(Setting.SHARD.name());
    }
}

/* Top-level classes, because a nested class belongs to the shard of its outer class. */

@NeuronTest
class ShardedAFixture {

    @Test
    void one(NeuronCore core) {}

    @RepeatedTest(3)
    void several(NeuronCore core) {}

    @Nested
    class Inside {

        @Test
        void nested(NeuronCore core) {}
    }
}

@NeuronTest
class ShardedBFixture {

    @Test
    void one(NeuronCore core) {}
}

class ShardedCFixture {

    @Test
    void withoutNeuron() {}

    @Test
    void another() {}
}

@NeuronTest
class ShardedDFixture {

    @Test
    void one(NeuronCore core) {}

    @Test
    void two(NeuronCore core) {}
}
