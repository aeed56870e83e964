package dev.neurontest.runtime;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.device.runtime.RuntimeVariables;
import dev.neurontest.internal.runtime.library.Libc;
import dev.neurontest.internal.runtime.library.TestJvmEnvironment;
import dev.neurontest.internal.runtime.stream.DebugStream;
import dev.neurontest.internal.text.CountText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The environment variables of this process that the runtime reads at initialization. Values from the start of the JVM are checked first.
 * New values are restored when the runtime is closed.
 */
final class ProcessVariables {

    static final String EXECUTION_TIMEOUT = "NEURON_RT_EXEC_TIMEOUT";
    static final String STREAM_SIZE = DebugStream.CAPACITY_VARIABLE;

    private static final String CORE_COUNT = "NEURON_RT_NUM_CORES";
    private static final String OLD_LOGICAL_CORE_SIZE = "NEURON_RT_VIRTUAL_CORE_SIZE";
    private static final String ASYNCHRONOUS = "NEURON_RT_ASYNC_EXEC_MAX_INFLIGHT_REQUESTS";
    private static final String INSPECT = "NEURON_RT_INSPECT_ENABLE";
    private static final String SIMULATION = "NEURON_RT_FAKE_INSTANCE_TYPE";
    private static final Pattern RANGE = Pattern.compile("\\s*([0-9]{1,5})\\s*(?:-\\s*([0-9]{1,5})\\s*)?");

    private final Map<String, Optional<String>> before = new LinkedHashMap<>();

    private ProcessVariables() {}

    /**
     * Sets the variables of the cores, and each requested variable unless the JVM was started with a value for it.
     *
     * @throws RuntimeEnvironmentException when the JVM was started with contradictory values
     */
    static ProcessVariables set(List<NeuronCore> cores, Map<String, String> requested) {
        Map<String, String> ofCores = RuntimeVariables.ofCores(cores);
        new Check(cores, ofCores, requested).check();
        ProcessVariables variables = new ProcessVariables();
        try {
            requested.forEach((name, value) -> {
                boolean isBlankSize = name.equals(STREAM_SIZE)
                        && Libc.variable(name).filter(String::isBlank).isPresent();
                if (Libc.variable(name).isEmpty() || isBlankSize) {
                    variables.set(name, value);
                }
            });
            ofCores.forEach(variables::set);
            return variables;
        } catch (RuntimeException impossible) {
            variables.restore();
            throw impossible;
        }
    }

    private void set(String name, String value) {
        Optional<String> old = Libc.variable(name);
        if (!old.equals(Optional.of(value))) {
            Libc.setVariable(name, value);
            before.put(name, old);
        }
    }

    /** Returns the configured capacity of a debug stream in events; 0 when it is not set. */
    static long streamCapacity() {
        return Libc.variable(STREAM_SIZE)
                .map(String::strip)
                .filter(value -> value.matches("[0-9]{1,18}"))
                .map(Long::parseLong)
                .orElse(0L);
    }

    /** Restores the previous values. */
    void restore() {
        before.forEach((name, old) ->
                old.ifPresentOrElse(value -> Libc.setVariable(name, value), () -> Libc.unsetVariable(name)));
        before.clear();
    }

    /** Comparison of the variables from the start of the JVM with the requirements of the tests. */
    private static final class Check {

        private final List<NeuronCore> cores;
        private final Map<String, String> ofCores;
        private final Map<String, String> requested;
        private final List<String> reasons = new ArrayList<>();
        private final TestJvmEnvironment advice = new TestJvmEnvironment();

        private Check(List<NeuronCore> cores, Map<String, String> ofCores, Map<String, String> requested) {
            this.cores = cores;
            this.ofCores = ofCores;
            this.requested = requested;
        }

        private void check() {
            visibleCores();
            differs(CORE_COUNT, Integer.toString(cores.size()), "the tests use " + CountText.of(cores.size(), "core"));
            String size = ofCores.getOrDefault(RuntimeVariables.LOGICAL_CORE_SIZE, "");
            differs(RuntimeVariables.LOGICAL_CORE_SIZE, size, "the tests use logical cores of %s");
            differs(OLD_LOGICAL_CORE_SIZE, size, "the tests use logical cores of %s");
            given(ASYNCHRONOUS)
                    .filter(value -> !value.strip().equals("0"))
                    .ifPresent(value -> refuse(
                            ASYNCHRONOUS,
                            value,
                            "with it an execution returns before it has ended, and its result is unknown"));
            given(SIMULATION)
                    .ifPresent(value ->
                            refuse(SIMULATION, value, "with it nothing is executed, and every test would pass"));
            given(INSPECT)
                    .filter(value -> !value.strip().equals("0"))
                    .filter(value -> !chainsSignals())
                    .ifPresent(
                            value -> refuse(
                                    INSPECT,
                                    value,
                                    "with it the runtime replaces the JVM's signal handlers, which crashes it; preload libjsig.so, or trace a child process instead"));
            streamSize();
            if (!reasons.isEmpty()) {
                throw new RuntimeEnvironmentException(reasons, advice);
            }
        }

        /** Returns the value in this process, or else the value that will be set. An invalid value is rejected in both cases. */
        private Optional<String> given(String name) {
            return Libc.variable(name)
                    .or(() -> Optional.ofNullable(requested.get(name)))
                    .filter(value -> !value.isBlank());
        }

        private void refuse(String name, String value, String reason) {
            reasons.add("%s=%s: %s".formatted(name, value, reason));
            advice.remove(name);
        }

        private void visibleCores() {
            String required = ofCores.getOrDefault(RuntimeVariables.VISIBLE_CORES, "");
            given(RuntimeVariables.VISIBLE_CORES)
                    .filter(value -> !numbers(value).containsAll(numbers(required)))
                    .ifPresent(value -> {
                        reasons.add(
                                "%s=%s: the tests use %s".formatted(RuntimeVariables.VISIBLE_CORES, value, required));
                        advice.set(RuntimeVariables.VISIBLE_CORES, required);
                    });
        }

        private void differs(String name, String required, String reason) {
            given(name)
                    .filter(value -> !value.strip().equals(required))
                    // The runtime treats this value as unset.
                    .filter(value -> !(name.equals(CORE_COUNT) && value.strip().equals("0")))
                    .ifPresent(value -> {
                        reasons.add("%s=%s: %s".formatted(name, value, reason.formatted(required)));
                        advice.set(name, required);
                    });
        }

        private void streamSize() {
            given(STREAM_SIZE)
                    .filter(value ->
                            !value.strip().matches("[0-9]{1,18}") || Long.bitCount(Long.parseLong(value.strip())) != 1)
                    .ifPresent(value -> {
                        reasons.add(
                                "%s=%s: it must be a power of two, or nrt_init fails".formatted(STREAM_SIZE, value));
                        advice.set(STREAM_SIZE, "65536");
                    });
        }

        private static Set<Integer> numbers(String list) {
            Set<Integer> numbers = new TreeSet<>();
            for (String part : list.split(",")) {
                Matcher range = RANGE.matcher(part);
                if (range.matches()) {
                    int first = Integer.parseInt(range.group(1));
                    int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
                    IntStream.rangeClosed(first, last).forEach(numbers::add);
                }
            }
            return numbers;
        }

        private static boolean chainsSignals() {
            try {
                return Files.readString(Path.of("/proc/self/maps")).contains("libjsig.so");
            } catch (IOException unreadable) {
                return false;
            }
        }
    }
}
