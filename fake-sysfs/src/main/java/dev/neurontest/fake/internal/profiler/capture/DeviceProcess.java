package dev.neurontest.fake.internal.profiler.capture;

import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.tool.HostConnection;
import dev.neurontest.fake.internal.tool.ToolFailure;
import java.io.IOException;
import java.util.List;

/** This process as a client of the driver: its cores, loaded models and executions. */
final class DeviceProcess {

    private static final String NAME = "profiled";
    private static final int SUCCESS = 0;

    private final HostConnection host;
    private final int logicalCoreSize;
    private final List<String> cores;

    private DeviceProcess(HostConnection host, int logicalCoreSize, List<String> cores) {
        this.host = host;
        this.logicalCoreSize = logicalCoreSize;
        this.cores = cores;
    }

    /** Takes the cores that the environment names, or all, as {@code nrt_init} does. */
    static DeviceProcess init(HostConnection host, Invocation invocation, int usualLogicalCoreSize)
            throws IOException, ToolFailure {
        String configuredSize = invocation.variable("NEURON_LOGICAL_NC_CONFIG");
        if (configuredSize.isEmpty()) {
            configuredSize = invocation.variable("NEURON_RT_VIRTUAL_CORE_SIZE");
        }
        String command = "init " + NAME + ' ' + visibleCores(invocation) + " pid "
                + ProcessHandle.current().pid() + (configuredSize.isEmpty() ? "" : " lnc " + configuredSize);
        RuntimeLog log = new RuntimeLog(invocation.err());
        String answer;
        try {
            answer = host.request(command);
        } catch (ToolFailure refused) {
            throw refuse(
                    log, refused.message(), configuredSize.isEmpty() ? usualLogicalCoreSize : size(configuredSize));
        }
        String[] words = answer.split(" ");
        int size = usualLogicalCoreSize == 1 || configuredSize.isEmpty() ? usualLogicalCoreSize : size(configuredSize);
        return new DeviceProcess(host, size, List.of(words).subList(3, words.length));
    }

    private static int size(String configuredSize) {
        return configuredSize.equals("2") ? 2 : 1;
    }

    private static String visibleCores(Invocation invocation) {
        String visible = invocation.variable("NEURON_RT_VISIBLE_CORES");
        if (!visible.isEmpty()) {
            return visible.replace(" ", "");
        }
        String number = invocation.variable("NEURON_RT_NUM_CORES");
        return number.isEmpty() ? "all" : "any:" + number;
    }

    private static ToolFailure refuse(RuntimeLog log, String reason, int size) {
        int from = reason.indexOf("Requested:");
        if (from < 0) {
            log.error("nrt_init", reason);
            return new ToolFailure("nrt_init failed: NRT_INVALID (2)");
        }
        int end = reason.indexOf(": ", from);
        String counts = reason.substring(from, end < 0 ? reason.length() : end);
        // The text depends on the size, as in the reports.
        log.error(
                "nrt_allocate_neuron_cores",
                "Logical Neuron Core(s) not available - " + counts
                        + (size == 1
                                ? " Logical Core size 1"
                                : " Logical Core size:" + size + " (cores busy, ret=-16)"));
        return new ToolFailure("nrt_init failed: NRT_FAILURE (1)");
    }

    int logicalCoreSize() {
        return logicalCoreSize;
    }

    /** Returns the number of visible logical cores. */
    int size() {
        return cores.size() / logicalCoreSize;
    }

    /** Returns the physical cores of a logical core. */
    List<String> physical(int logical) {
        return cores.subList(logical * logicalCoreSize, (logical + 1) * logicalCoreSize);
    }

    void load(int logical, long bytes) throws IOException, ToolFailure {
        for (String core : physical(logical)) {
            host.request("load " + NAME + ' ' + core + ' ' + bytes);
        }
    }

    void allocate(int logical, long bytes) throws IOException, ToolFailure {
        host.request("alloc " + NAME + ' ' + physical(logical).get(0) + " tensors " + bytes);
    }

    void execute(int logical, String status, int times) throws IOException, ToolFailure {
        for (String core : physical(logical)) {
            host.request("execute " + NAME + ' ' + core + ' ' + (status.isEmpty() ? SUCCESS : status) + ' ' + times);
        }
    }

    void close() throws IOException, ToolFailure {
        host.request("close " + NAME);
    }
}
