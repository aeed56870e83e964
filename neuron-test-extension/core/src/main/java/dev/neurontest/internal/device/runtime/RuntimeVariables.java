package dev.neurontest.internal.device.runtime;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.text.VisibleText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/** The variables by which the Neuron runtime of a child learns which cores are its own. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RuntimeVariables {

    /** Which logical cores, such as {@code 8-11}. */
    public static final String VISIBLE_CORES = "NEURON_RT_VISIBLE_CORES";

    /** How many physical cores a logical core has. */
    public static final String LOGICAL_CORE_SIZE = "NEURON_LOGICAL_NC_CONFIG";

    /** What monitoring shows for the process. */
    public static final String TAG = "NEURON_PROCESS_TAG";

    /** The longer of the driver's two fields has 256 bytes with the final zero; the shorter one shows the first 31. */
    private static final int LONGEST_TAG = 255;

    private static final Set<String> PREFIXES = Set.of("NEURON_RT_", "NEURON_LOGICAL", "NEURON_PROCESS");

    private RuntimeVariables() {}

    /**
     * Whether the runtime reads a variable, so that a child should not hear it from who started this JVM.
     *
     * @param name of the variable
     * @return true for {@code NEURON_RT_…}, {@code NEURON_LOGICAL…} and {@code NEURON_PROCESS…}
     */
    public static boolean isOfRuntime(String name) {
        return PREFIXES.stream().anyMatch(name::startsWith);
    }

    /**
     * What a child on some cores is told.
     *
     * @param cores of one host, in any order
     * @return by name; nothing without cores
     * @throws IllegalArgumentException when they are not in a row
     */
    public static Map<String, String> ofCores(List<NeuronCore> cores) {
        // where the runtime pairs no cores it takes 1 and nothing else
        return cores.isEmpty()
                ? Map.of()
                : Map.of(
                        VISIBLE_CORES,
                        visibleCores(cores),
                        LOGICAL_CORE_SIZE,
                        Integer.toString(cores.get(0).device().host().logicalCoreSize()));
    }

    /**
     * The cores as the runtime takes them: one ascending range.
     *
     * @param cores in any order
     * @return such as {@code 8-11}; empty without cores
     * @throws IllegalArgumentException when they are not in a row
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
                    ("The cores %s are not in a row, and the runtime takes one range of cores (%s=8-11). "
                                    + "Ask for cores that are not scattered, or start one workload for each row.")
                            .formatted(ListText.of(indices), VISIBLE_CORES));
        }
        return first == last ? Integer.toString(first) : first + "-" + last;
    }

    /**
     * What monitoring should show for a child.
     *
     * @param text such as the test's name
     * @return by name, as long as the driver's field
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
