package dev.neurontest.internal.counter.tree;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * The deferred counts of drivers up to 2.29: executions and their outcomes are counted when the owning process releases the
 * device.
 *
 * @param reason evidence for that, such as {@code driver 2.24.7.0}
 * @param owners supplier of the running processes that have a device open, by device number, as shown in messages
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DeferredCounts(String reason, Supplier<Map<Integer, List<String>>> owners) {}
