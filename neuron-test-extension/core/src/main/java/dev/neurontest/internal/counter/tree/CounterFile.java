package dev.neurontest.internal.counter.tree;

import dev.neurontest.counter.CounterField;

/**
 * A counter file of a place.
 *
 * @param path what the counter is, whatever its place: its path below {@code stats} up to driver 2.30.2
 * @param field which file of the counter
 * @param file where it stands, relative to the directory of the device or core
 */
record CounterFile(String path, CounterField field, String file) {}
