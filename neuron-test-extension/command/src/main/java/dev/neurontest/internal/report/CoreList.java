package dev.neurontest.internal.report;

import dev.neurontest.internal.text.CountText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/** The list of the cores of a test in reports. Cores on the hosts of a cluster are grouped by host. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CoreList {

    private static final int MOST_OF_HOST = 4;

    private CoreList() {}

    /**
     * Returns the names of cores in a text.
     *
     * @param cores names such as {@code neuron0/neuron_core1}, or {@code n1:neuron0/neuron_core1} on a host of a cluster
     * @return for example {@code n1 (32 cores), n2 (32 cores)}
     */
    public static String of(List<String> cores) {
        List<String> hosts = new ArrayList<>();
        byHost(cores)
                .forEach((host, names) -> hosts.add(
                        host.isEmpty()
                                ? String.join(", ", names)
                                : "%s (%s)"
                                        .formatted(
                                                host,
                                                names.size() > MOST_OF_HOST
                                                        ? CountText.of(names.size(), "core")
                                                        : String.join(", ", names))));
        return String.join(", ", hosts);
    }

    /** Returns the hosts of a cluster with these cores; none for cores of the host of the JVM. */
    static Set<String> hosts(List<String> cores) {
        Set<String> hosts = new LinkedHashSet<>(byHost(cores).keySet());
        hosts.remove("");
        return hosts;
    }

    private static Map<String, List<String>> byHost(List<String> cores) {
        Map<String, List<String>> byHost = new LinkedHashMap<>();
        for (String core : cores) {
            int end = core.lastIndexOf(':');
            byHost.computeIfAbsent(core.substring(0, Math.max(0, end)), host -> new ArrayList<>())
                    .add(core.substring(end + 1));
        }
        return byHost;
    }
}
