package dev.neurontest.internal.device.runtime;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.text.VisibleText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/** The environment variables that assign cores to the Neuron runtime of a child process. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RuntimeVariables {

    /** Variable for the logical cores, such as {@code 8-11}. */
    public static final String VISIBLE_CORES = "NEURON_RT_VISIBLE_CORES";

    /** Variable for the number of physical cores per logical core. */
    public static final String LOGICAL_CORE_SIZE = "NEURON_LOGICAL_NC_CONFIG";

    /** Variable for the name of the process in monitoring. */
    public static final String TAG = "NEURON_PROCESS_TAG";

    /**
     * Maximum length of a tag in bytes. The longer of the driver's two fields has 256 bytes including the final zero. The shorter
     * field shows the first 31 bytes.
     */
    private static final int LONGEST_TAG = 255;

    private static final Set<String> PREFIXES = Set.of("NEURON_RT_", "NEURON_LOGICAL", "NEURON_PROCESS");

    private RuntimeVariables() {}

    /**
     * Returns whether the runtime reads a variable. A child must not inherit such a variable from this JVM.
     *
     * @return true for {@code NEURON_RT_…}, {@code NEURON_LOGICAL…} and {@code NEURON_PROCESS…}
     */
    public static boolean isOfRuntime(String name) {
        return PREFIXES.stream().anyMatch(name::startsWith);
    }

    /**
     * Returns the variables for a child on some cores.
     *
     * @param cores cores of one host, in any order
     * @return values by name; empty without cores
     * @throws IllegalArgumentException when the cores are not adjacent
     */
    public static Map<String, String> ofCores(List<NeuronCore> cores) {
        // On families without pairs of cores, the runtime accepts only 1.
        return cores.isEmpty()
                ? Map.of()
                : Map.of(
                        VISIBLE_CORES,
                        visibleCores(cores),
                        LOGICAL_CORE_SIZE,
                        Integer.toString(cores.get(0).device().host().logicalCoreSize()));
    }

    /**
     * Returns the cores as one ascending range, as required by the runtime.
     *
     * @param cores cores in any order
     * @return such as {@code 8-11}; empty without cores
     * @throws IllegalArgumentException when the cores are not adjacent
     */
    public static String visibleCores(List<NeuronCore> cores) {
        List<Integer> indices =
                cores.stream().map(NeuronCore::index).sorted().distinct().toList();
        if (indices.isEmpty()) {
            return "";
        }
        int first = indices.get(0);
        int last = indices.get(indices.size() - 1);
        if (last - first + 1 != indices.size()) {
            throw new IllegalArgumentException(
                    ("The cores %s are not in a row, and the runtime accepts one range of cores (%s=8-11). "
                                    + "Request cores that are not scattered, or start one workload for each row.")
                            .formatted(ListText.of(indices), VISIBLE_CORES));
        }
        return first == last ? Integer.toString(first) : first + "-" + last;
    }

    /**
     * Returns the variable for the name of a child in monitoring.
     *
     * @param text text such as the test's name
     * @return the variable, with its value cut to the length of the driver's field
     */
    public static Map<String, String> ofTag(String text) {
        return Map.of(TAG, cut(text));
    }

    private static String cut(String tag) {
        StringBuilder cut = new StringBuilder();
        int bytes = 0;
        for (int at = 0; at < tag.length(); at = tag.offsetByCodePoints(at, 1)) {
            int point = tag.codePointAt(at);
            String character = VisibleText.isShown(point) ? Character.toString(point) : " ";
            bytes += character.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > LONGEST_TAG) {
                break;
            }
            cut.append(character);
        }
        return cut.toString();
    }
}
