package dev.neurontest.fake;

import dev.neurontest.fake.internal.driver.Core;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.tree.InProcessTree;
import org.jspecify.annotations.Nullable;

/** The scope of a fault: a core, a device or the host. */
record FaultScope(
        FakeNeuronHost host,
        InProcessTree tree,
        String directory,
        @Nullable Device deviceOrNull,
        @Nullable Core coreOrNull) {

    /** Returns the path of a file in the layout of the host, for a path relative to the scope. */
    String path(String file) {
        return tree.place(directory.isEmpty() ? file : directory + '/' + file);
    }

    Device device(String kind) {
        if (deviceOrNull == null || coreOrNull != null) {
            throw new IllegalArgumentException(kind + " is a fault of a device, not of " + this);
        }
        return deviceOrNull;
    }

    Core core(String kind) {
        if (coreOrNull == null) {
            throw new IllegalArgumentException(kind + " is a fault of a core, not of " + this);
        }
        return coreOrNull;
    }

    @Override
    public String toString() {
        if (coreOrNull != null) {
            return coreOrNull.toString();
        }
        return deviceOrNull != null ? deviceOrNull.toString() : "the host";
    }
}
