package dev.neurontest.profile;

import java.util.regex.Pattern;

/** What a reader looks at together, in the order of reading. */
enum MetricGroup {
    TIME("Time", "total_(exec_|active_)?time(_percent)?|neuroncore_cycle_count"),
    UTILISATION("Utilisation", "[mh]fu_.*|mbu_.*|mm_arithmetic_intensity|peak_flops_bandwidth_ratio|.*_flops"),
    TRAFFIC("Traffic", "(hbm|sbuf|psum|spill)_.*|.*_queue_bytes|.*_size_bytes"),
    ENGINES("Engines", "(tensor|vector|scalar|gpsimd|sync)_engine_.*|(matmul|activate)_.*"),
    DMA("DMA", "(.*_)?dma_.*"),
    COLLECTIVES("Collectives", "cc_.*"),
    THROTTLING("Throttling", "throttle_.*"),
    OTHER("Other", ".*");

    private final String title;
    private final Pattern names;

    MetricGroup(String title, String names) {
        this.title = title;
        this.names = Pattern.compile(names);
    }

    String title() {
        return title;
    }

    static MetricGroup of(String metric) {
        for (MetricGroup group : values()) {
            if (group.names.matcher(metric).matches()) {
                return group;
            }
        }
        return OTHER;
    }
}
