package dev.neurontest.counter;

import dev.neurontest.device.NeuronSysfsException;
import org.apiguardian.api.API;

/**
 * A counter that could not be read before or after a test. Its value is unknown and must not be treated as zero.
 *
 * @param counter the counter
 * @param moment {@code before} or {@code after}
 * @param cause the failure with the file, its content and the expected content
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record UnreadableCounter(Counter counter, String moment, NeuronSysfsException cause) {}
