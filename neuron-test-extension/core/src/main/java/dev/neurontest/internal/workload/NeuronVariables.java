package dev.neurontest.internal.workload;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.device.runtime.RuntimeVariables;
import dev.neurontest.internal.process.ChildEnvironment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The environment variables for the Neuron runtime of a child process: those that are set, and those that must not be inherited. */
@API(status = API.Status.INTERNAL)
public final class NeuronVariables {

    /** Variable that lets an execution return before it has ended. Neither its status nor its counters then belong to the caller. */
    static final String INFLIGHT = "NEURON_RT_ASYNC_EXEC_MAX_INFLIGHT_REQUESTS";

    private static final String LEGACY_NEFF = "NEURON_RT_ALLOW_LEGACY_NEFF";
    private static final String BY_CORES = "it follows from the cores of the workload: call on(cores)";
    private static final String BY_HOST = "it follows from the host: use the setting neuron.test.lnc";
    private static final Map<String, String> OURS = Map.of(
            RuntimeVariables.VISIBLE_CORES,
            BY_CORES,
            "NEURON_RT_NUM_CORES",
            BY_CORES,
            RuntimeVariables.LOGICAL_CORE_SIZE,
            BY_HOST,
            "NEURON_RT_VIRTUAL_CORE_SIZE",
            BY_HOST);

    private NeuronVariables() {}

    /** Rejects a variable that would let a program use other cores. */
    public static void check(String name) {
        String reason = OURS.get(name);
        if (reason != null) {
            throw new IllegalArgumentException("%s cannot be set for a workload, %s.".formatted(name, reason));
        }
    }

    /**
     * Creates the environment of a workload.
     *
     * @param kept true if it inherits the Neuron variables of this JVM
     * @param dumps folder for dumps of the runtime; empty for no dumps
     * @param own variables of the user
     */
    public static ChildEnvironment environment(
            boolean kept, List<NeuronCore> cores, Optional<String> tag, Optional<Path> dumps, Map<String, String> own) {
        Map<String, String> set = new LinkedHashMap<>(RuntimeVariables.ofCores(cores));
        tag.ifPresent(text -> set.putAll(RuntimeVariables.ofTag(text)));
        dumps.ifPresentOrElse(
                folder -> {
                    set.put(
                            "NEURON_RT_LOCAL_CORE_DUMP_DIRECTORY",
                            folder.resolve("core-dump/dt-%d-cid-%c").toString());
                    set.put(
                            "NEURON_RT_DBG_INPUT_DUMP_DIRECTORY",
                            folder.resolve("input-dump").toString());
                    set.put(
                            "NEURON_RT_INSPECT_OUTPUT_DIR",
                            folder.resolve("inspect").toString());
                    set.put("NEURON_RT_OOM_DUMP_DIRECTORY", folder.toString());
                },
                () -> {
                    // Both are empty to disable core dumps.
                    set.put("NEURON_RT_LOCAL_CORE_DUMP_DIRECTORY", "");
                    set.put("NEURON_RT_S3_CORE_DUMP_PREFIX", "");
                });
        set.putAll(own);
        return ChildEnvironment.INHERITED
                .without(name -> kept ? name.equals(INFLIGHT) : RuntimeVariables.isOfRuntime(name))
                .with(set);
    }

    /** Returns whether notifications of descriptors made by the device are on for a workload. They fill a queue of the runtime. */
    public static boolean dgeNotifications(boolean kept, Map<String, String> inherited, Map<String, String> own) {
        return value("NEURON_RT_ENABLE_DGE_NOTIFICATIONS", kept, inherited, own)
                .filter("1"::equals)
                .isPresent();
    }

    /** Returns whether a notice is relevant for the assessment of a whole run. */
    static boolean concernsTheGate(String notice) {
        return notice.startsWith(LEGACY_NEFF);
    }

    private static Optional<String> value(
            String name, boolean kept, Map<String, String> inherited, Map<String, String> own) {
        return Optional.ofNullable(own.get(name))
                .or(() -> kept ? Optional.ofNullable(inherited.get(name)) : Optional.empty());
    }

    /** Returns remarks about the variables that a workload received or did not receive. */
    public static Stream<String> notices(boolean kept, Map<String, String> inherited, Map<String, String> own) {
        Stream<String> legacy = value(LEGACY_NEFF, kept, inherited, own)
                .filter("1"::equals)
                .map(
                        allowed -> LEGACY_NEFF
                                + "=1 was set for it: NEFFs of compilers that the runtime does not support are loaded, which is for tests only.")
                .stream();
        return Stream.concat(legacy, inflight(kept, inherited, own));
    }

    private static Stream<String> inflight(boolean kept, Map<String, String> inherited, Map<String, String> own) {
        String effect = "executions may return before they end, and their statuses and counters arrive late.";
        if (own.containsKey(INFLIGHT)) {
            return Stream.of("%s=%s was set for it: %s".formatted(INFLIGHT, own.get(INFLIGHT), effect));
        }
        return kept && inherited.containsKey(INFLIGHT)
                ? Stream.of("%s of this JVM was not passed on, because with it %s".formatted(INFLIGHT, effect))
                : Stream.empty();
    }
}
