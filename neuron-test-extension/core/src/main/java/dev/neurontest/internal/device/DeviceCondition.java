package dev.neurontest.internal.device;

import dev.neurontest.device.DeviceHealth;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.device.ProcessOwner;
import dev.neurontest.internal.text.ListText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The condition of a device at one time, as visible to this process. An unreadable value contains the reason.
 *
 * @param device name such as {@code neuron0}
 * @param reset ready, resetting or failed
 * @param health content of the driver's health report
 * @param ecc counts of memory errors
 * @param owners processes that have the device open
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DeviceCondition(String device, String reset, String health, String ecc, List<ProcessOwner> owners) {

    /** Creates a condition with a copy of the owners. */
    public DeviceCondition {
        owners = List.copyOf(owners);
    }

    /** Reads the condition of a device. Unreadable values do not cause an exception. */
    public static DeviceCondition of(NeuronDevice device) {
        return new DeviceCondition(
                device.name(),
                readable(() -> device.resetState().map(DeviceCondition::word).orElse("not shown")),
                readable(() -> health(device.health())),
                readable(() -> ecc(device.ecc())),
                device.host().owners(device));
    }

    private static String health(DeviceHealth health) {
        String broken = health.unhealthyComponents().isEmpty()
                ? ""
                : " (" + String.join(", ", health.unhealthyComponents()) + ")";
        StringBuilder text = new StringBuilder(word(health.state())).append(broken);
        health.heartbeat().ifPresent(beats -> text.append(", heartbeat ").append(beats));
        health.counts().forEach((name, count) -> {
            if (count > 0) {
                text.append(", ").append(name).append(' ').append(count);
            }
        });
        return text.toString();
    }

    private static String ecc(Map<String, Long> counts) {
        String errors = counts.entrySet().stream()
                .filter(count -> count.getValue() > 0)
                .map(count -> count.getKey() + " " + count.getValue())
                .collect(Collectors.joining(", "));
        return errors.isEmpty() ? "none" : errors;
    }

    private static String readable(Supplier<String> value) {
        try {
            return value.get();
        } catch (NeuronSysfsException unreadable) {
            return "unreadable: " + unreadable.getMessage();
        }
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the condition as one readable line. */
    @Override
    public String toString() {
        return "%s: reset %s; health %s; ecc %s; open in %s"
                .formatted(
                        device,
                        reset,
                        health,
                        ecc,
                        owners.isEmpty() ? "no process that is visible" : ListText.of(owners));
    }
}
