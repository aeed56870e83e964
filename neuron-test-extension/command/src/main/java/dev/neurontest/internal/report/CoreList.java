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
    private static final int MOST_HOSTS = 8;

    private CoreList() {}

    /**
     * Returns the names of cores in a text.
     *
     * @param cores names such as {@code neuron0/neuron_core1}, or {@code n1:neuron0/neuron_core1} on a host of a cluster
     * @return for example {@code n1 (32 cores), n2 (32 cores)}
     */
    public static String of(List<String> cores) {
        Map<String, List<String>> byHost = byHost(cores);
        List<String> hosts = new ArrayList<>();
        byHost.entrySet().stream().limit(MOST_HOSTS).forEach(each -> hosts.add(of(each.getKey(), each.getValue())));
        List<List<String>> others = byHost.values().stream().skip(MOST_HOSTS).toList();
        if (!others.isEmpty()) {
            hosts.add("%s (%s)"
                    .formatted(
                            CountText.of(others.size(), "more host"),
                            CountText.of(others.stream().mapToInt(List::size).sum(), "core")));
        }
        return String.join(", ", hosts);
    }

    private static String of(String host, List<String> cores) {
        if (host.isEmpty()) {
            return String.join(", ", cores);
        }
        return "%s (%s)"
                .formatted(
                        host,
                        cores.size() > MOST_OF_HOST ? CountText.of(cores.size(), "core") : String.join(", ", cores));
    }

    /** Returns the hosts of a cluster with these cores; none for cores of the host of the JVM. */
    public static Set<String> hosts(List<String> cores) {
        Set<String> hosts = new LinkedHashSet<>(byHost(cores).keySet());
        hosts.remove("");
        return hosts;
    }

    private static Map<String, List<String>> byHost(List<String> cores) {
        Map<String, List<String>> byHost = new LinkedHashMap<>();
        for (String core : cores) {
            ReportedCore named = ReportedCore.of("", core);
            byHost.computeIfAbsent(named.host(), host -> new ArrayList<>()).add(named.name());
        }
        return byHost;
    }
}
