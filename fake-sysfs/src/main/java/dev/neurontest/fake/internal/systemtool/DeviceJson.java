package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.driver.instance.MadeUpIds;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON of {@code neuron-ls --json-output}. */
final class DeviceJson {

    private DeviceJson() {}

    /**
     * Formats a list.
     *
     * @param placed true if the tool shows the numbers of cores and the processors near a device
     * @param instance true if the tool repeats the instance in each device
     * @param longestCommand maximum length of a command
     */
    static String of(DeviceList list, boolean placed, boolean instance, int longestCommand) {
        return JsonText.indented(list.devices().stream()
                .map(device -> device(list, device, placed, instance, longestCommand))
                .toList());
    }

    private static Map<String, @Nullable Object> device(
            DeviceList list, ListedDevice device, boolean placed, boolean instance, int longestCommand) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        if (instance) {
            json.put("instance_type", list.instanceType());
            json.put("instance_id", MadeUpIds.INSTANCE);
        }
        json.put("neuron_device", device.number());
        json.put("bdf", DeviceTable.address(device, placed));
        if (placed) {
            json.put("cpu_affinity", device.slot().cpus());
            json.put("numa_node", String.valueOf(device.slot().numaNode()));
        }
        json.put("connected_to", device.connectedDevices().isEmpty() ? null : device.connectedDevices());
        json.put("nc_count", device.cores());
        if (list.choosesLogicalCores()) {
            json.put("logical_neuroncore_config", list.logicalCoreSize());
        }
        json.put("memory_size", device.memory());
        if (placed) {
            json.put("neuroncore_ids", device.coreNumbers());
        }
        json.put(
                "neuron_processes",
                device.processes().stream()
                        .map(process -> {
                            Map<String, Object> of = new LinkedHashMap<>();
                            of.put("pid", process.pid());
                            of.put("command", DeviceList.shortened(process.command(), longestCommand));
                            of.put("neuron_runtime_version", process.runtimeVersion());
                            return of;
                        })
                        .toList());
        return json;
    }
}
