package dev.neurontest.fake.tree;

import dev.neurontest.fake.driver.Core;
import dev.neurontest.fake.driver.Counter;
import dev.neurontest.fake.driver.Device;
import dev.neurontest.fake.driver.DeviceCategory;
import dev.neurontest.fake.driver.Driver;
import dev.neurontest.fake.driver.EccRegister;
import dev.neurontest.fake.driver.ExecutionCounter;
import dev.neurontest.fake.driver.Field;
import dev.neurontest.fake.driver.HostCategory;
import dev.neurontest.fake.tree.layout.Attribute;
import dev.neurontest.fake.tree.layout.Layout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Makes the shape of {@code neuronN} from a layout, and knows what each attribute shows. */
final class DeviceShape {

    /** Power is valid from version 3 on (neuron_power.c). */
    private static final String FIRMWARE_API_VERSION = "3\n";

    private static final String FIRMWARE_BUILD = "1\n";

    /** The generic power management of the kernel, which has nothing to do with {@code stats/power}. */
    private static final Map<String, String> POWER_MANAGEMENT = Map.of(
            "async", "disabled\n",
            "autosuspend_delay_ms", "0\n",
            "control", "auto\n",
            "runtime_active_kids", "0\n",
            "runtime_active_time", "0\n",
            "runtime_enabled", "disabled\n",
            "runtime_status", "unsupported\n",
            "runtime_suspended_time", "0\n",
            "runtime_usage", "0\n");

    private final Layout layout;
    private final Driver driver;

    private DeviceShape(Layout layout, Driver driver) {
        this.layout = layout;
        this.driver = driver;
    }

    static Shape of(Layout layout, Driver driver) {
        DeviceShape maker = new DeviceShape(layout, driver);
        int architecture = driver.instanceType().family().architecture();
        Shape device = new Shape();
        // By the directory in which they stand, nearly always the one of the device.
        Map<String, Shape> cores = new LinkedHashMap<>();
        maker.putGenericEntries(device);
        for (Attribute attribute : layout.attributes()) {
            if (architecture >= attribute.firstArchitecture()) {
                String place = layout.place((attribute.ofCore() ? Layout.CORE : "") + attribute.path());
                int inCore = attribute.ofCore() ? place.indexOf(Layout.CORE) : 0;
                Shape in = attribute.ofCore()
                        ? cores.computeIfAbsent(place.substring(0, inCore), above -> new Shape())
                        : device;
                maker.put(in, attribute.ofCore() ? place.substring(inCore + Layout.CORE.length()) : place, attribute);
            }
        }
        cores.forEach((above, core) -> putCores(device, above, core, driver));
        return device;
    }

    private static void putCores(Shape device, String above, Shape core, Driver driver) {
        for (int index = 0; index < driver.instanceType().family().coresPerDevice(); index++) {
            int number = index;
            device.put(
                    above + "neuron_core" + number,
                    (directory, name) -> new AttributeDirectory.Below(
                            directory,
                            name,
                            0755,
                            core,
                            directory.home().device().core(number)));
        }
    }

    private void putGenericEntries(Shape device) {
        putText(
                device,
                "uevent",
                0644,
                neuron -> "MAJOR=" + DeviceNumbers.MAJOR + "\nMINOR=" + neuron.index() + "\nDEVNAME=" + neuron + "\n");
        putText(device, "dev", 0444, neuron -> DeviceNumbers.of(neuron.index()) + "\n");
        device.put("subsystem", (directory, name) -> new LinkNode(directory, name, "../../../../class/neuron_device"));
        POWER_MANAGEMENT.forEach((name, text) ->
                putText(device, "power/" + name, name.startsWith("runtime_") ? 0444 : 0644, neuron -> text));
    }

    private static void putText(Shape shape, String path, int mode, Function<Device, String> text) {
        shape.put(
                path,
                (directory, name) -> FileNode.attribute(
                        directory,
                        name,
                        mode,
                        ignoringWrites(() -> text.apply(directory.home().device()))));
    }

    private void put(Shape shape, String place, Attribute attribute) {
        if (attribute.kind() == Attribute.Kind.PLAIN) {
            shape.put(
                    place,
                    (directory, name) ->
                            FileNode.attribute(directory, name, attribute.mode(), content(attribute, directory)));
            return;
        }
        putField(shape, place, attribute, Field.TOTAL);
        putField(shape, place, attribute, Field.PRESENT);
        if (attribute.kind() == Attribute.Kind.MEMORY_COUNTER) {
            putField(shape, place, attribute, Field.PEAK);
        }
    }

    private static void putField(Shape shape, String place, Attribute attribute, Field field) {
        shape.put(
                place + '/' + field.fileName(),
                (directory, name) -> FileNode.attribute(
                        directory, name, attribute.mode(), new Content.Number(counter(attribute, directory), field)));
    }

    private static Counter counter(Attribute attribute, AttributeDirectory directory) {
        Core core = directory.core();
        if (core == null) {
            return directory.home().device().hostMemory(HostCategory.named(attribute.driverName()));
        }
        return switch (attribute.path()) {
            case "stats/memory_usage/host_mem" -> core.hostMemory();
            case "stats/memory_usage/device_mem" -> core.deviceMemory();
            default ->
                attribute.path().startsWith("stats/memory_usage/device_mem/")
                        ? core.deviceMemory(DeviceCategory.named(attribute.driverName()))
                        : executionCounter(attribute, core);
        };
    }

    private static Counter executionCounter(Attribute attribute, Core core) {
        return switch (attribute.driverName()) {
            case "reset_req_count" -> core.resetRequests();
            case "reset_fail_count" -> core.resetFailures();
            default ->
                core.counter(ExecutionCounter.named(attribute.driverName()).orElseThrow(() -> unknown(attribute)));
        };
    }

    private Content.Text content(Attribute attribute, AttributeDirectory directory) {
        Core core = directory.core();
        Device device = directory.home().device();
        Content.Text content = core == null ? content(attribute, device) : content(attribute, core);
        return ofMetrics(attribute)
                ? content.andThen(() -> device.attributeWritten(
                        (core == null ? "" : "neuron_core" + core.index() + '/') + attribute.path()))
                : content;
    }

    /** Whether the attribute shares the store function of metrics, which notifies what was written: all but {@code reset}. */
    private static boolean ofMetrics(Attribute attribute) {
        return (attribute.mode() & 0222) != 0 && !attribute.path().equals("reset");
    }

    private static Content.Text content(Attribute attribute, Core core) {
        return switch (attribute.path()) {
            case "info/architecture/arch_type" ->
                ignoringWrites(() -> core.device().family().coreArchitecture() + "\n");
            case "stats/tensor_engine/pe_cntrs" -> ignoringWrites(core::peCounters);
            default -> throw unknown(attribute);
        };
    }

    private Content.Text content(Attribute attribute, Device device) {
        return switch (attribute.path()) {
            case "reset" ->
                text(() -> device.resetState() + "\n", written -> device.requestReset())
                        .replayedBy(recorded -> device.replayReset(recorded.equals("2\n")));
            // The driver prints no newline here, on purpose.
            case "core_count" ->
                ignoringWrites(() -> Integer.toString(device.cores().size()));
            case "connected_devices" ->
                ignoringWrites(() -> device.connectedDevices().stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", ", "", "\n")));
            case "fw_api_version" -> ignoringWrites(() -> FIRMWARE_API_VERSION);
            case "fw_build" -> ignoringWrites(() -> FIRMWARE_BUILD);
            case "info/notify_delay" ->
                text(this::notifyDelay, driver::writeNotifyDelay).replayedBy(this::replayNotifyDelay);
            case "info/serial_number" -> ignoringWrites(() -> HexFormat.of().toHexDigits(device.serialNumber()) + "\n");
            case "info/architecture/arch_type" ->
                ignoringWrites(() -> device.family().deviceArchitecture() + "\n");
            case "info/architecture/instance_type" ->
                ignoringWrites(() -> device.family().name() + "\n");
            case "info/architecture/device_name" ->
                ignoringWrites(() -> device.family().deviceName() + "\n");
            case "stats/power/utilization" -> ignoringWrites(device::powerOfLastMinute);
            case "stats/power/utilization_raw" -> ignoringWrites(device::powerNow);
            case "stats/hardware/health_status/hbm_ecc_err_count" -> ecc(device, EccRegister.MEM_UNCORRECTED);
            case "stats/hardware/health_status/repairable_hbm_ecc_err_count" ->
                ecc(device, EccRegister.MEM_REPAIRABLE_UNCORRECTED);
            case "stats/hardware/health_status/sram_ecc_err_count" -> ecc(device, EccRegister.SRAM_UNCORRECTED);
            case Device.HARDWARE_ERROR_EVENT ->
                ignoringWrites(() -> device.hardwareErrorEvents() + "\n")
                        .replayedBy(recorded -> Decimal.parse(recorded).ifPresent(device::replayHardwareErrorEvents));
            case "stats/hardware/health_status/unhealthy_components" ->
                // Follows from the registers.
                ignoringWrites(() -> device.unhealthyComponents() + "\n").replayedBy(recorded -> {});
            case "stats/hardware/health_status/healthcheck_heartbeat" ->
                ignoringWrites(() -> device.heartbeat() + "\n");
            default -> {
                if (!attribute.path().startsWith("stats/hardware/")) {
                    throw unknown(attribute);
                }
                yield ecc(device, EccRegister.named(attribute.name()));
            }
        };
    }

    private static Content.Text ecc(Device device, EccRegister register) {
        return ignoringWrites(() -> device.ecc(register) + "\n").replayedBy(recorded -> {
            long count = Decimal.parse(recorded).orElse(-1);
            if (count >= 0 && count <= 0xFFFF) {
                device.replayEcc(register, count);
            }
        });
    }

    private String notifyDelay() {
        return driver.notifying() ? "0\n" : "-1\n";
    }

    /** Each device shows the flag of the module, which most recordings never change. */
    private void replayNotifyDelay(String recorded) {
        boolean known = recorded.equals("0\n") || recorded.equals("-1\n");
        if (known && !recorded.equals(notifyDelay())) {
            driver.writeNotifyDelay(recorded.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static Content.Text ignoringWrites(Supplier<String> text) {
        return text(text, written -> {});
    }

    private static Content.Text text(Supplier<String> text, Consumer<byte[]> write) {
        return new Content.Text(text, write);
    }

    private static IllegalStateException unknown(Attribute attribute) {
        return new IllegalStateException("the fake has no content for " + attribute.path());
    }
}
