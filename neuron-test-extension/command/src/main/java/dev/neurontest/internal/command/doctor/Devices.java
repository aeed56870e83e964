package dev.neurontest.internal.command.doctor;

import dev.neurontest.device.DeviceHealth;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.RangeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Checks of the number and the health of the devices. */
final class Devices {

    /**
     * The number of devices of an instance type, for types with several devices and a reliable number. Source: the driver's tables, the
     * architecture pages of the SDK, captured output of neuron-ls.
     */
    static final Map<String, Integer> DEVICES = Map.of(
            "inf1.6xlarge", 4,
            "inf1.24xlarge", 16,
            "inf2.24xlarge", 6,
            "inf2.48xlarge", 12,
            "trn1.32xlarge", 16,
            "trn1n.32xlarge", 16,
            "trn2.48xlarge", 16,
            "trn2u.48xlarge", 16);

    private Devices() {}

    static List<DoctorFinding> examine(NeuronHost host) {
        List<DoctorFinding> findings = new ArrayList<>();
        findings.add(DoctorFinding.ok(
                "devices",
                "%s: %s with %s, logical cores of %s physical"
                        .formatted(
                                host.instanceType().orElse("unknown instance type"),
                                CountText.of(host.devices().size(), "device"),
                                CountText.of(host.cores().size(), "core"),
                                host.logicalCoreSize())));
        missing(host).ifPresent(findings::add);
        host.notices().forEach(notice -> findings.add(DoctorFinding.of(Code.ODD_DEVICES, notice, "")));
        for (NeuronDevice device : host.devices()) {
            try {
                health(device).ifPresent(findings::add);
                memory(device).ifPresent(findings::add);
            } catch (NeuronSysfsException unreadable) {
                findings.add(DoctorFinding.of(Code.UNREADABLE_DEVICE, String.valueOf(unreadable.getMessage()), ""));
            }
        }
        return findings;
    }

    private static Optional<DoctorFinding> missing(NeuronHost host) {
        String type = host.instanceType().orElse("");
        TreeSet<Integer> missing = new TreeSet<>(
                IntStream.range(0, DEVICES.getOrDefault(type, 0)).boxed().toList());
        host.devices().forEach(device -> missing.remove(device.index()));
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(DoctorFinding.of(
                        Code.MISSING_DEVICE,
                        "%s has %s devices, and %s can be used here; missing: %s"
                                .formatted(
                                        type,
                                        DEVICES.get(type),
                                        host.devices().size(),
                                        missing.size() == 1
                                                ? "neuron" + missing.first()
                                                : "devices " + RangeText.of(missing)),
                        "A container that gets only some of them has fewer on purpose. Otherwise the driver has lost the device: sudo"
                                + " dmesg shows why; stop and start the instance to get another machine."));
    }

    private static Optional<DoctorFinding> health(NeuronDevice device) {
        DeviceHealth health = device.health();
        return switch (health.state()) {
            case UNHEALTHY ->
                Optional.of(DoctorFinding.of(
                        Code.BROKEN_DEVICE,
                        device.name() + " reports as broken: " + String.join(", ", health.unhealthyComponents()),
                        "Stop and start the instance to get another machine; sudo dmesg shows more."));
            case UNREACHABLE ->
                Optional.of(DoctorFinding.of(
                        Code.UNREACHABLE_DEVICE,
                        "the driver cannot reach " + device.name(),
                        "Reset it (neuron-reset), or reboot."));
            default -> Optional.empty();
        };
    }

    /** Returns the uncorrected memory errors of a device since power-on. They need not have affected today's tests. */
    private static Optional<DoctorFinding> memory(NeuronDevice device) {
        List<String> errors = device.uncorrectedErrors().entrySet().stream()
                .filter(error -> error.getValue() > 0)
                .map(error -> error.getValue() + " in " + error.getKey())
                .toList();
        return errors.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        DoctorFinding.of(
                                Code.UNCORRECTED_MEMORY_ERROR,
                                "%s has had memory errors that were not corrected, since it was powered: %s"
                                        .formatted(device.name(), String.join(", ", errors)),
                                "Programs that ran on it then may have computed wrong results. A reset repairs part of the memory. If errors"
                                        + " remain or the count rises again, stop and start the instance to get another machine."));
    }
}
