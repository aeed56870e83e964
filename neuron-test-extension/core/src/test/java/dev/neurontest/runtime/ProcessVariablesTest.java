package dev.neurontest.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.runtime.library.Libc;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
class ProcessVariablesTest {

    private static final String VISIBLE = "NEURON_RT_VISIBLE_CORES";

    @TempDir
    Path root;

    private final Map<String, Optional<String>> before = new HashMap<>();
    private List<NeuronCore> cores;

    @BeforeEach
    void cores() {
        cores = new HostFixture(root)
                .devices(HostFixture.Kind.TRN1, 0, 1)
                .host()
                .cores()
                .subList(2, 4);
    }

    @AfterEach
    void restore() {
        before.forEach((name, value) ->
                value.ifPresentOrElse(old -> Libc.setVariable(name, old), () -> Libc.unsetVariable(name)));
    }

    /** Sets a variable as if the JVM had been started with it. */
    private void startedWith(String name, String value) {
        before.putIfAbsent(name, Libc.variable(name));
        Libc.setVariable(name, value);
    }

    private ProcessVariables set(Map<String, String> wanted) {
        return ProcessVariables.set(cores, wanted);
    }

    @Test
    void setsAndRestoresVariablesForNativeCode() {
        // when
        ProcessVariables variables = set(Map.of("NEURON_PROCESS_TAG", "a test"));

        // then
        assertThat(Libc.variable(VISIBLE)).contains("2-3");
        assertThat(Libc.variable("NEURON_LOGICAL_NC_CONFIG")).contains("1");
        assertThat(Libc.variable("NEURON_PROCESS_TAG")).contains("a test");

        // when
        variables.restore();

        // then
        assertThat(Libc.variable(VISIBLE)).isEmpty();
        assertThat(Libc.variable("NEURON_LOGICAL_NC_CONFIG")).isEmpty();
        assertThat(Libc.variable("NEURON_PROCESS_TAG")).isEmpty();
    }

    @Test
    void restoresVariablesWhenOneCannotBeSet() {
        // given
        Map<String, String> wanted = new LinkedHashMap<>();
        wanted.put("NEURON_PROCESS_TAG", "a test");
        wanted.put("NEURON=TAG", "impossible");

        // then
        assertThatThrownBy(() -> set(wanted))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"NEURON=TAG\" cannot be the name of an environment variable");
        assertThat(Libc.variable("NEURON_PROCESS_TAG")).isEmpty();
    }

    @Test
    void keepsVariableThatJvmWasStartedWith() {
        // given
        startedWith("NEURON_RT_EXEC_TIMEOUT", "600");

        // when
        ProcessVariables variables = set(Map.of("NEURON_RT_EXEC_TIMEOUT", "30"));

        // then
        assertThat(Libc.variable("NEURON_RT_EXEC_TIMEOUT")).contains("600");
        variables.restore();
        assertThat(Libc.variable("NEURON_RT_EXEC_TIMEOUT")).contains("600");
    }

    @Test
    void narrowsAndRestoresCoresOfJvm() {
        // given
        startedWith(VISIBLE, "0-1,2, 3");

        // when
        ProcessVariables variables = set(Map.of());

        // then
        assertThat(Libc.variable(VISIBLE)).contains("2-3");
        variables.restore();
        assertThat(Libc.variable(VISIBLE)).contains("0-1,2, 3");
    }

    @Test
    void refusesCoresOutsideThoseOfJvm() {
        // given
        startedWith(VISIBLE, "0-2");

        // then
        assertThatThrownBy(() -> set(Map.of()))
                .isInstanceOf(RuntimeEnvironmentException.class)
                .hasMessage("""
                        The Neuron runtime cannot be opened with the environment of this JVM:
                          NEURON_RT_VISIBLE_CORES=0-2: the tests use 2-3
                        Maven (Surefire), in <configuration>:
                            <environmentVariables>
                              <NEURON_RT_VISIBLE_CORES>2-3</NEURON_RT_VISIBLE_CORES>
                            </environmentVariables>
                        Gradle:
                            tasks.test {
                                environment("NEURON_RT_VISIBLE_CORES", "2-3")
                            }""");
        assertThat(Libc.variable("NEURON_LOGICAL_NC_CONFIG")).isEmpty();
    }

    @Test
    void refusesAsynchronousExecutions() {
        // given
        startedWith("NEURON_RT_ASYNC_EXEC_MAX_INFLIGHT_REQUESTS", "4");

        // then
        assertThatThrownBy(() -> set(Map.of()))
                .isInstanceOf(RuntimeEnvironmentException.class)
                .hasMessage("""
                        The Neuron runtime cannot be opened with the environment of this JVM:
                          NEURON_RT_ASYNC_EXEC_MAX_INFLIGHT_REQUESTS=4: with it an execution returns before it has ended, and its result is unknown
                        Maven (Surefire), in <configuration>:
                            <excludedEnvironmentVariables>
                              <excludedEnvironmentVariable>NEURON_RT_ASYNC_EXEC_MAX_INFLIGHT_REQUESTS</excludedEnvironmentVariable>
                            </excludedEnvironmentVariables>
                        Gradle:
                            tasks.test {
                                environment.remove("NEURON_RT_ASYNC_EXEC_MAX_INFLIGHT_REQUESTS")
                            }""");
    }

    @ParameterizedTest
    @CsvSource({
        "NEURON_RT_NUM_CORES, 1, the tests use 2 cores",
        "NEURON_LOGICAL_NC_CONFIG, 2, the tests use logical cores of 1",
        "NEURON_RT_VIRTUAL_CORE_SIZE, 2, the tests use logical cores of 1",
        "NEURON_RT_INSPECT_ENABLE, 1, preload libjsig.so",
        "NEURON_RT_FAKE_INSTANCE_TYPE, trn1.2xlarge, with it nothing is executed",
        "NEURON_RT_DEBUG_STREAM_BUFFER_SIZE, 1000, it must be a power of two",
        "NEURON_RT_DEBUG_STREAM_BUFFER_SIZE, 64k, it must be a power of two"
    })
    void refusesVariablesThatFalsifyTests(String name, String value, String reason) {
        // given
        startedWith(name, value);

        // then
        assertThatThrownBy(() -> set(Map.of()))
                .isInstanceOf(RuntimeEnvironmentException.class)
                .hasMessageContaining("\n  " + name + "=" + value + ": ")
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "NEURON_RT_NUM_CORES, 2",
        "NEURON_RT_NUM_CORES, 0",
        "NEURON_LOGICAL_NC_CONFIG, 1",
        "NEURON_RT_ASYNC_EXEC_MAX_INFLIGHT_REQUESTS, 0",
        "NEURON_RT_INSPECT_ENABLE, 0",
        "NEURON_RT_DEBUG_STREAM_BUFFER_SIZE, 1024"
    })
    void acceptsEquivalentVariables(String name, String value) {
        // given
        startedWith(name, value);

        // then
        assertThatCode(() -> set(Map.of()).restore()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "0", "-4", "18446744073709551616"})
    void refusesInvalidDebugStreamSizeOfTest(String size) {
        // then
        assertThatThrownBy(() -> set(Map.of("NEURON_RT_DEBUG_STREAM_BUFFER_SIZE", size)))
                .isInstanceOf(RuntimeEnvironmentException.class)
                .hasMessageContaining("must be a power of two");
    }

    @Test
    void reportsAllProblemsAtOnce() {
        // given
        startedWith(VISIBLE, "7");
        startedWith("NEURON_RT_FAKE_INSTANCE_TYPE", "trn1.2xlarge");

        // then
        assertThatThrownBy(() -> set(Map.of()))
                .hasMessageContaining("<NEURON_RT_VISIBLE_CORES>2-3</NEURON_RT_VISIBLE_CORES>")
                .hasMessageContaining("environment.remove(\"NEURON_RT_FAKE_INSTANCE_TYPE\")");
    }
}
