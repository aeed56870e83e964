package dev.neurontest.internal.participant.runtime;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.configuration.MissingToolPolicy;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.print.stream.DebugStreams;
import dev.neurontest.internal.print.stream.StreamOptions;
import dev.neurontest.runtime.NeuronRuntime;
import dev.neurontest.runtime.RuntimeUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.opentest4j.TestAbortedException;

/** An open runtime and its debug streams. */
record OpenRuntime(NeuronRuntime runtime, DebugStreams streams) {

    /**
     * Opens the runtime.
     *
     * @throws TestAbortedException if there is no runtime and the settings skip tests in that case
     */
    static OpenRuntime open(
            List<NeuronCore> cores, Path root, Settings settings, StreamOptions prints, RuntimeFailures observer) {
        try {
            return openIfAny(cores, root, settings, prints, observer);
        } catch (RuntimeUnavailableException none) {
            if (settings.value(Setting.MISSING) == MissingToolPolicy.SKIP) {
                throw new TestAbortedException(
                        "%s is %s; with fail such a test fails; %s sets a library. %s"
                                .formatted(
                                        Setting.MISSING,
                                        settings.get(Setting.MISSING),
                                        Setting.RUNTIME_LIBRARY,
                                        none.getMessage()),
                        none);
            }
            throw none;
        }
    }

    private static OpenRuntime openIfAny(
            List<NeuronCore> cores, Path root, Settings settings, StreamOptions prints, RuntimeFailures observer) {
        NeuronRuntime.Builder builder = NeuronRuntime.builder(cores)
                .root(root)
                .executionTimeout(atLeastASecond(settings.value(Setting.RUNTIME_TIMEOUT)))
                .environment("NEURON_PROCESS_TAG", "neuron-test")
                .environment("NEURON_RT_LOCAL_CORE_DUMP_DIRECTORY", "")
                .environment("NEURON_RT_S3_CORE_DUMP_PREFIX", "")
                .observer(observer);
        settings.value(Setting.RUNTIME_LIBRARY).ifPresent(builder::library);
        NeuronRuntime runtime = builder.open();
        try {
            return new OpenRuntime(runtime, DebugStreams.open(runtime, prints));
        } catch (RuntimeException failed) {
            runtime.close();
            throw failed;
        }
    }

    private static Duration atLeastASecond(Duration timeout) {
        return timeout.toSeconds() < 1 ? Duration.ofSeconds(1) : timeout;
    }
}
