package dev.neurontest.internal.report;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A core of a host. Cores of different hosts may have the same name.
 *
 * @param host name of the host
 * @param name name of the core, such as {@code neuron1/neuron_core2}, or {@code core 5 (neuron1/neuron_core2, neuron1/neuron_core3)} for a
 *     logical core
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ReportedCore(String host, String name) {

    private static final Comparator<String> NUMBERED =
            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

    /** Order by host, device and core, in which neuron2 comes before neuron10, and a device before its cores. */
    public static final Comparator<ReportedCore> BY_NUMBER = Comparator.comparing(ReportedCore::host)
            .thenComparing(ReportedCore::device, NUMBERED)
            .thenComparing(ReportedCore::name, NUMBERED);

    /**
     * Returns the core for its name in a run file.
     *
     * @param host host of the JVM
     * @param name name in the run file, which begins with {@code n1:} for a core on host n1 of a cluster
     */
    public static ReportedCore of(String host, String name) {
        int end = name.lastIndexOf(':');
        return new ReportedCore(end < 0 ? host : name.substring(0, end), name.substring(end + 1));
    }

    /** Returns the device of the core, such as {@code neuron1}. */
    public String device() {
        return name.substring(name.indexOf('(') + 1).split("/", 2)[0];
    }

    /** Returns the short name, such as {@code core 5 (neuron1)} for a logical core. */
    public String shortName() {
        int physical = name.indexOf(" (");
        return physical < 0 ? name : name.substring(0, physical) + " (" + device() + ")";
    }

    /** Returns the cores as named by counters; a logical core may have several. */
    public List<ReportedCore> places() {
        return Stream.of(name.replaceFirst("^[^(]*\\((.*)\\)$", "$1").split(", "))
                .map(place -> new ReportedCore(host, place))
                .toList();
    }
}
