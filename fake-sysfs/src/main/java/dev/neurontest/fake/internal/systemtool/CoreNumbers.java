package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.driver.Core;
import dev.neurontest.fake.internal.driver.Device;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The numbers of logical cores in the output of the tools, counted over the devices of the host or the container. */
final class CoreNumbers {

    private final int logicalCoreSize;
    private final Map<Core, Integer> positions = new HashMap<>();

    /**
     * Creates the numbers.
     *
     * @param devices the devices in the order of their nodes
     */
    CoreNumbers(List<Device> devices, int logicalCoreSize) {
        this.logicalCoreSize = logicalCoreSize;
        for (Device device : devices) {
            for (int position = 0; position < device.cores().size(); position++) {
                positions.put(device.coreAt(position), positions.size());
            }
        }
    }

    /** Returns the logical cores of some physical cores, by number. Leaves out cores of other devices. */
    Map<Integer, List<Core>> logical(List<Core> physical) {
        Map<Integer, List<Core>> logical = new TreeMap<>();
        physical.stream()
                .filter(this::contains)
                .forEach(core -> logical.computeIfAbsent(logicalNumber(core), none -> new ArrayList<>())
                        .add(core));
        return logical;
    }

    /** Returns whether a core is on one of the devices. */
    boolean contains(Core core) {
        return positions.containsKey(core);
    }

    int logicalNumber(Core core) {
        return positions.getOrDefault(core, 0) / logicalCoreSize;
    }

    int deviceNumber(Core core) {
        return positions.getOrDefault(core, 0) / core.device().cores().size();
    }

    /** Returns the name of a physical core of a logical one, such as {@code nc_v3.0}. */
    String physicalName(Core core) {
        return "nc_v3." + positions.getOrDefault(core, 0);
    }
}
