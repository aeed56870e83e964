package dev.neurontest.internal.counter.tree;

import dev.neurontest.counter.CounterField;

/**
 * A counter file of a place.
 *
 * @param path name of the counter for all drivers: its path below {@code stats} up to driver 2.30.2
 * @param field the file of the counter
 * @param file actual path, relative to the directory of the device or core
 */
record CounterFile(String path, CounterField field, String file) {}
