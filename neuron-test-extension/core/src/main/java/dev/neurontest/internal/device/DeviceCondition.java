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
 * How a device is at one moment, as far as this process may see; what cannot be read says why.
 *
 * @param device such as {@code neuron0}
 * @param reset ready, resetting or failed
 * @param health what the driver's own report says
 * @param ecc the memory error counts
 * @param owners the processes that have it open
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DeviceCondition(String device, String reset, String health, String ecc, List<ProcessOwner> owners) {

    /**
     * Keeps its own copy.
     *
     * @param device such as {@code neuron0}
     * @param reset ready, resetting or failed
     * @param health what the driver's own report says
     * @param ecc the memory error counts
     * @param owners the processes that have it open
     */
    public DeviceCondition {
        owners = List.copyOf(owners);
    }

    /**
     * Looks at a device. Nothing here fails because of what is read.
     *
     * @param device which
     * @return its condition
     */
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

    /**
     * The condition for a person.
     *
     * @return one line
     */
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
