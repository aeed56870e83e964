package dev.neurontest.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests of the tables in failure messages. */
class FailureTablesTest {

    private static Map<String, String> failures;

    @BeforeAll
    static void failAll() {
        failures = failures();
    }

    static Map<String, String> failures() {
        Map<String, String> messages = new HashMap<>();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(MeantToFailFixture.class))
                                .configurationParameter("neuron.test.platform", "fake:trn1.2xlarge")
                                .configurationParameter("neuron.test.output", "target/meant-to-fail")
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                result.getThrowable()
                                        .ifPresent(failure -> messages.put(
                                                test.getDisplayName().replaceAll("\\(.*", ""), failure.getMessage()));
                            }
                        });
        return messages;
    }

    @Test
    void nameTheChangedCounterAndTheBrokenRule() {
        assertThat(failures.get("anExecutionTimesOut"))
                .contains("neuron0/neuron_core0 status/timeout")
                .contains("no error counter may move")
                .contains("neuron-counters.json with paths")
                .contains("@AllowCounter(\"timeout\")");
    }

    @Test
    void fitOnATerminal() {
        assertThat(failures.values())
                .isNotEmpty()
                .allSatisfy(message -> assertThat(message.split("\n\n")[1].lines())
                        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120)));
    }

    @Test
    void reportAllViolationsTogether() {
        assertThat(failures.get("executionsAreMissingAndMemoryStaysBehind"))
                .contains("2 expectations violated")
                .contains("+99")
                .contains("+2097152 (2 MiB)");
    }
}
