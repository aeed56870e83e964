package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.driver.instance.HardwareFamily;
import java.util.Map;

/**
 * The words of {@code neuron-monitor} for a family. Those of Trainium1 and Inferentia2 were captured, those of Trainium2 are documented, and
 * the others are assumed.
 *
 * @param deviceType such as {@code trainium}
 * @param deviceVersion such as {@code v2}
 * @param coreVersion such as {@code v2}, without the letter for logical cores of two physical ones
 */
record MonitorNames(String deviceType, String deviceVersion, String coreVersion) {

    private static final Map<String, MonitorNames> ALL = Map.of(
            "Inf1", new MonitorNames("inferentia", "v1", "v1"),
            "Trn1", new MonitorNames("trainium", "v2", "v2"),
            "Inf2", new MonitorNames("inferentia2", "v3", "v2"),
            "Trn2", new MonitorNames("trainium2", "v4", "v3"),
            "Trn3", new MonitorNames("trainium3", "v5", "v4"));

    static MonitorNames of(HardwareFamily family) {
        return ALL.getOrDefault(family.name(), new MonitorNames("unknown", "unknown", "unknown"));
    }
}
