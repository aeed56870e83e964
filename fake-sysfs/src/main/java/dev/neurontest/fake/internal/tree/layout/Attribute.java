package dev.neurontest.fake.internal.tree.layout;

import org.apiguardian.api.API;

/**
 * One attribute of a device or a core in one layout. A counter is one attribute, though it has two or three files.
 *
 * @param path below {@code neuronN} or, for an attribute of a core, below {@code neuron_coreK}; in a layout that moves it the path
 *     before that, by which it is known
 * @param ofCore whether a core has it, not the device
 * @param kind its files
 * @param mode permission bits of its files
 * @param firstArchitecture the first architecture version that has it, 1 for all
 * @param driverName what the driver since 2.8.4.0 calls what the last name of the path stands for
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Attribute(String path, boolean ofCore, Kind kind, int mode, int firstArchitecture, String driverName) {

    /** Which files an attribute has. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Kind {
        /** One plain file. */
        PLAIN,
        /** A directory with {@code total} and {@code present}. */
        COUNTER,
        /** A directory with {@code total}, {@code present} and {@code peak}. */
        MEMORY_COUNTER
    }

    /**
     * The directory, or the file of a plain attribute.
     *
     * @return such as {@code timeout}
     */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
