package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.internal.control.CommandSession;
import dev.neurontest.fake.internal.profiler.call.Effect;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of scripts for the profiler commands of a host, in Java and by control commands. */
class FakeProfilerTest {

    private FakeNeuronHost host;
    private CommandSession session;

    @BeforeEach
    void start() {
        host = FakeNeuronHost.builder().instance("trn2.3xlarge").start();
        session = host.openSession();
    }

    @AfterEach
    void stop() {
        session.close();
        host.close();
    }

    private String capture() {
        return host.profiler().begin(Effect.Stage.CAPTURE, "capture");
    }

    private String view() {
        return host.profiler().begin(Effect.Stage.VIEW, "view");
    }

    @Nested
    class Tools {

        @ParameterizedTest
        @CsvSource({
            "trn1.2xlarge, docs-2023, absent, working 2.17.14.0%kaena-tools/2.17@6459a28",
            "trn1.2xlarge, driver-2.x, absent, working 2.26.14.0%kaena-tools/2.26@6459a28",
            "trn1.2xlarge, driver-2.27, working 2.29.14.0%kaena-tools/2.29@6459a28, working 2.29.14.0%kaena-tools/2.29@6459a28",
            "trn1.2xlarge, driver-2.28, working 2.30.14.0%kaena-tools/2.30@6459a28, stub",
            "trn1.2xlarge, driver-2.30, working 2.32.14.0%kaena-tools/2.32@6459a28, stub",
            // Its driver in this layout is 2.26.5.
            "trn3.48xlarge, driver-2.x, working 2.28.14.0%kaena-tools/2.28@6459a28, working 2.28.14.0%kaena-tools/2.28@6459a28"
        })
        void matchTheSdkOfTheDriver(String instance, String layout, String explorer, String profile) {
            try (FakeNeuronHost other =
                    FakeNeuronHost.builder().instance(instance).layout(layout).start()) {
                assertThat(other.profiler().tool("neuron-explorer")).hasToString(explorer);
                assertThat(other.profiler().tool("neuron-profile")).hasToString(profile);
            }
        }

        @Test
        void ofInf1AreOfTheLastSdkWithADriverForIt() {
            try (FakeNeuronHost inf1 =
                    FakeNeuronHost.builder().instance("inf1.xlarge").start()) {
                assertThat(inf1.profiler().tool("neuron-explorer")).isEqualTo("absent");
                assertThat(inf1.profiler().tool("neuron-profile")).startsWith("working 2.26.");
            }
        }

        @Test
        void areSetByACommand() {
            assertThat(session.answer("profiler tool neuron-profile working 2.29.18.0"))
                    .isEqualTo("ok");
            assertThat(session.answer("profiler tool neuron-explorer absent")).isEqualTo("ok");

            assertThat(host.profiler().tool("neuron-profile")).isEqualTo("working 2.29.18.0");
            assertThat(host.profiler().tool("neuron-explorer")).isEqualTo("absent");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "profiler tool neuron-monitor absent",
                    "profiler tool neuron-profile working",
                    "profiler tool neuron-profile broken",
                    "profiler tool neuron-profile working 2.29 'x'"
                })
        void invalidToolCommandIsRefused(String command) {
            assertThat(session.answer(command)).startsWith("error ");
        }
    }

    @Nested
    class Scripts {

        @Test
        void areGivenOnlyToCallsOfTheirStage() {
            host.profiler().script("slowdown", 1.5).script("hang", "view").script("no-trace", "rank", 1);

            assertThat(capture())
                    .isEqualTo(
                            "call 1 instance trn2.3xlarge driver 2.30.2.0 lnc 2 runtime 2.34.10.0 | slowdown 1.5 | no-trace rank 1");
            assertThat(view()).endsWith(" lnc 2 runtime 2.34.10.0 | hang view");
        }

        @Test
        void endAfterTheGivenNumberOfCalls() {
            host.profiler().script("throttle", 0.4, "times", 2);
            view();

            assertThat(capture()).contains("throttle 0.4");
            assertThat(capture()).contains("throttle 0.4");
            assertThat(capture()).doesNotContain("throttle");
        }

        @Test
        void areClearedByReset() {
            host.profiler().script("records", 10).reset();

            assertThat(view()).doesNotContain("records");
        }

        @Test
        void commandAndJavaCreateTheSameScript() {
            assertThat(session.answer("profiler run-noise 0.01 42 times 3 rank 1"))
                    .isEqualTo("ok");

            assertThat(session.answer("profiler scripts")).isEqualTo("ok run-noise 0.01 42 times 3 rank 1");
            host.profiler().script("run-noise", 0.01, 42, "times", 3, "rank", 1).script("log", "view", "a b");
            assertThat(host.profiler().scripts())
                    .containsExactly(
                            "run-noise 0.01 42 times 3 rank 1", "run-noise 0.01 42 times 3 rank 1", "log view a\\sb");
        }

        @ParameterizedTest
        @CsvSource({
            "profiler, the action is missing",
            "profiler nonsense, 'no profiler script \"nonsense\"; there are: slowdown FACTOR'",
            "profiler slowdown, slowdown takes 1 words",
            "profiler status NRT_NIX, \"NRT_NIX\" is not a valid STATUS of status",
            "profiler slowdown NaN, \"NaN\" is not a valid FACTOR of slowdown",
            "profiler dropped -1, \"-1\" is not a valid COUNT of dropped",
            "profiler hang upload, \"upload\" is not a valid capture|view of hang; usage: hang capture|view",
            "profiler metric x a|b, \"a|b\" is not a valid TEXT of metric",
            "profiler no-trace often, a number is missing after often",
            "profiler throttle 0.4 times 0, a script requires at least 1 call, not 0",
            "profiler no-trace forever 2, 'only times N and rank N may follow no-trace, not forever'"
        })
        void areRefusedWhenInvalid(String command, String reason) {
            assertThat(session.answer(command)).startsWith("error " + reason);
        }

        @Test
        void areAllListedInTheHelp() {
            List<String> help = session.answer("profiler help").lines().toList();

            assertThat(help.get(0)).isEqualTo("ok %s lines follow".formatted(help.size() - 1));
            assertThat(help)
                    .containsSequence("  profiler dropped COUNT", "      This number of notifications is lost.")
                    .allMatch(line -> line.length() <= 100, "is at most 100 wide");
            assertThat(help).filteredOn(line -> line.startsWith("  profiler ")).hasSize(Effect.values().length + 2);
        }
    }

    @Test
    void listsCallsWithTheirArguments() {
        session.answer("profiler begin capture neuron-explorer capture -n a\\sb.neff");

        assertThat(host.profiler().calls()).containsExactly("neuron-explorer capture -n a\\sb.neff");
        assertThat(session.answer("profiler calls")).isEqualTo("ok neuron-explorer capture -n a\\sb.neff");
    }
}
