package dev.neurontest.counter;

import dev.neurontest.device.NeuronSysfsException;
import org.apiguardian.api.API;

/**
 * A counter that could not be read before or after a test. Nothing is known about it, in particular not that it is zero.
 *
 * @param counter which one
 * @param moment {@code before} or {@code after}
 * @param cause the file, what it held, and what was expected there
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record UnreadableCounter(Counter counter, String moment, NeuronSysfsException cause) {}
