package dev.neurontest.internal.counter.tree;

import dev.neurontest.internal.device.CounterKind;
import org.apiguardian.api.API;

/**
 * A counter in a layout, with the positions of its files; -1 where there is no such file.
 *
 * @param path below {@code stats}
 * @param kind what the driver does with it
 * @param main the total, or the file that is the counter itself
 * @param peak the largest total
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record CounterRow(String path, CounterKind kind, int main, int peak) {}
