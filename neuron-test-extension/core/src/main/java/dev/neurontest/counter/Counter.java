package dev.neurontest.counter;

import org.apiguardian.api.API;

/**
 * One counter file, by what it is and not by where it stands: the places differ by driver.
 *
 * @param place the physical core or device that it belongs to
 * @param path the path below {@code stats} that it has up to driver 2.30.2, such as {@code status/hw_error} or
 *     {@code memory_usage/device_mem/tensors}
 * @param field which file of the counter
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Counter(CounterPlace place, String path, CounterField field) {

    /**
     * The counter as messages name it.
     *
     * @return such as {@code neuron0/neuron_core1 status/hw_error}; present and peak are named, total is not
     */
    @Override
    public String toString() {
        return place + " " + path + (field == CounterField.TOTAL ? "" : field.suffix());
    }
}
