package dev.neurontest.counter;

import org.apiguardian.api.API;

/**
 * A counter file with a name that is the same for all drivers. The directory in sysfs differs by driver.
 *
 * @param place the physical core or device that it belongs to
 * @param path the path below {@code stats} that it has up to driver 2.30.2, such as {@code status/hw_error} or
 *     {@code memory_usage/device_mem/tensors}
 * @param field the file of the counter
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Counter(CounterPlace place, String path, CounterField field) {

    /**
     * Returns the counter as shown in messages.
     *
     * @return such as {@code neuron0/neuron_core1 status/hw_error}; a present or peak file has its suffix, a total has none
     */
    @Override
    public String toString() {
        return place + " " + path + (field == CounterField.TOTAL ? "" : field.suffix());
    }
}
