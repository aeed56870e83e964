package dev.neurontest.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** What failures look like. */
class FailureTablesTest {

    private static Map<String, String> failures;

    @BeforeAll
    static void failAll() {
        failures = failures();
    }

    static Map<String, String> failures() {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(DiscoverySelectors.selectClass(MeantToFailFixture.class))
                .configurationParameter("neuron.test.platform", "fake:trn1.2xlarge")
                .configurationParameter("neuron.test.output", "target/meant-to-fail")
                .execute()
                .testEvents()
                .failed()
                .stream()
                .collect(Collectors.toMap(
                        event -> event.getTestDescriptor().getDisplayName().replaceAll("\\(.*", ""),
                        FailureTablesTest::message));
    }

    private static String message(Event event) {
        return event.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .map(Throwable::getMessage)
                .orElse("");
    }

    @Test
    void nameEveryCounterThatMovedAndTheRuleThatItBroke() {
        assertThat(failures.get("anExecutionTimesOut"))
                .contains("neuron0/neuron_core0 status/timeout")
                .contains("no error counter may move")
                .contains("stats/status/timeout/total")
                .contains("@AllowCounter(\"timeout\")");
    }

    @Test
    void reportEverythingThatIsWrongTogether() {
        assertThat(failures.get("executionsAreMissingAndMemoryStaysBehind"))
                .contains("2 demands violated")
                .contains("+99")
                .contains("+2097152 (2 MiB)");
    }
}
