package dev.neurontest.fake.tree;

import dev.neurontest.fake.driver.Core;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A directory of a device, filled from a shape as its entries are asked for: a large host has thousands of them. */
abstract class AttributeDirectory extends DirectoryNode {

    private final Shape shape;
    private final Map<String, Node> children = new ConcurrentHashMap<>();

    AttributeDirectory(DirectoryNode parent, String name, Shape shape) {
        super(parent, name);
        this.shape = shape;
    }

    abstract DeviceDirectory home();

    /** The core that the directory belongs to, null for a directory of the device. */
    @Nullable
    Core core() {
        return null;
    }

    @Override
    List<String> names() {
        return shape.names();
    }

    @Override
    @Nullable
    Node child(String name, boolean evenGone) {
        Node known = children.get(name);
        if (known != null) {
            return known;
        }
        Shape.Part part = shape.part(name);
        return part == null ? null : children.computeIfAbsent(name, missing -> part.in(this, missing));
    }

    /** A directory below the device's own. */
    static final class Below extends AttributeDirectory {

        private final DeviceDirectory home;
        private final @Nullable Core core;

        Below(AttributeDirectory parent, String name, Shape shape, @Nullable Core core) {
            super(parent, name, shape);
            this.home = parent.home();
            this.core = core;
        }

        @Override
        DeviceDirectory home() {
            return home;
        }

        @Override
        @Nullable
        Core core() {
            return core;
        }
    }
}
