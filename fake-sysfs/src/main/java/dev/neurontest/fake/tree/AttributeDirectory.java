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

    AttributeDirectory(DirectoryNode parent, String name, int mode, Shape shape) {
        super(parent, name, mode);
        this.shape = shape;
    }

    abstract DeviceDirectory home();

    /** Lets something be in it or not, for good or until it is shown again. */
    void show(String name, boolean shown) {
        shape.show(name, shown);
    }

    /** The core that the directory belongs to, null for a directory of the device. */
    @Nullable
    Core core() {
        return null;
    }

    @Override
    public List<String> names() {
        return shape.names();
    }

    @Override
    @Nullable
    public Node child(String name, boolean evenGone) {
        if (!evenGone && shape.hides(name)) {
            return null;
        }
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

        Below(AttributeDirectory parent, String name, int mode, Shape shape, @Nullable Core core) {
            super(parent, name, mode, shape);
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
