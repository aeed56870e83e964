package dev.neurontest.internal.counter.tree;

import dev.neurontest.internal.device.CounterKind;
import org.apiguardian.api.API;

/**
 * A counter in a layout, with the positions of its files; -1 for a missing file.
 *
 * @param path path below {@code stats}
 * @param kind kind of the counter
 * @param main position of the total, or of a plain counter file
 * @param peak position of the largest total
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record CounterRow(String path, CounterKind kind, int main, int peak) {}
