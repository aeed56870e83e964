package dev.neurontest.internal.counter.tree;

import dev.neurontest.counter.CounterField;

/**
 * A counter file of a place.
 *
 * @param path name of the counter for all drivers: its path below {@code stats} up to driver 2.30.2
 * @param field the file of the counter
 * @param file actual path, relative to the directory of the device or core
 */
record CounterFile(String path, CounterField field, String file) implements Comparable<CounterFile> {

    /** Compares files by the group of the counter, its path and the field. */
    @Override
    public int compareTo(CounterFile other) {
        int order = Integer.compare(group(), other.group());
        if (order == 0) {
            order = path.compareTo(other.path);
        }
        return order == 0 ? field.compareTo(other.field) : order;
    }

    private int group() {
        int group = CounterLayout.GROUPS.indexOf(path.substring(0, Math.max(0, path.indexOf('/'))));
        return group < 0 ? CounterLayout.GROUPS.size() : group;
    }
}
