package dev.neurontest.internal.counter.tree;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * On drivers up to 2.29: executions and their outcomes are counted when the owning process lets go of the device.
 *
 * @param reason what that is concluded from, such as {@code driver 2.24.7.0}
 * @param owners the living processes that have a device open, by its number, as messages name them
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DeferredCounts(String reason, Supplier<Map<Integer, List<String>>> owners) {}
