package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.driver.Device;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A directory that is filled once, when the host starts. Entries of devices appear and disappear with their device, and a recording
 * can hide entries.
 */
class FixedDirectory extends DirectoryNode {

    private final Map<String, Node> children = new LinkedHashMap<>();
    // Most directories have neither entries of devices nor hidden entries.
    private Map<String, Device> devices = Map.of();
    private volatile Set<String> hidden = Set.of();
    private final boolean varies;
    private volatile @Nullable Consumer<FixedDirectory> filling;

    FixedDirectory(@Nullable DirectoryNode parent, String name) {
        this(parent, name, 0755, false);
    }

    /** @param varies whether devices are added and removed in the directory */
    FixedDirectory(@Nullable DirectoryNode parent, String name, int mode, boolean varies) {
        super(parent, name, mode);
        this.varies = varies;
    }

    /** Registers a function that fills this directory on its first use. Most directories of a large host are never used. */
    void fillLater(Consumer<FixedDirectory> how) {
        filling = how;
    }

    private Map<String, Node> children() {
        if (filling != null) {
            fill();
        }
        return children;
    }

    private synchronized void fill() {
        Consumer<FixedDirectory> how = filling;
        if (how != null) {
            how.accept(this);
            filling = null;
        }
    }

    <T extends Node> T add(T child) {
        children.put(child.name(), child);
        return child;
    }

    /** Adds an entry that exists only while the device is present. */
    void add(Node child, Device device) {
        add(child);
        devices = devices.isEmpty() ? new HashMap<>() : devices;
        devices.put(child.name(), device);
    }

    synchronized void show(String name, boolean shown) {
        Set<String> names = new HashSet<>(hidden);
        if (shown) {
            names.remove(name);
        } else {
            names.add(name);
        }
        hidden = names;
    }

    void hideAll() {
        children.keySet().forEach(name -> show(name, false));
    }

    /** Returns the directory at a path below this one, and creates missing directories. */
    FixedDirectory directory(String path) {
        FixedDirectory node = this;
        for (String name : path.split("/")) {
            FixedDirectory above = node;
            node = (FixedDirectory) above.children.get(name);
            if (node == null) {
                node = above.add(new FixedDirectory(above, name));
            }
        }
        return node;
    }

    @Override
    public boolean varies() {
        return varies;
    }

    private boolean present(String name) {
        Device device = devices.get(name);
        return (device == null || device.present()) && !hidden.contains(name);
    }

    @Override
    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (String name : children().keySet()) {
            if (present(name)) {
                names.add(name);
            }
        }
        return List.copyOf(names);
    }

    @Override
    public Object behind(String name) {
        Device device = devices.get(name);
        return device == null ? name : List.of(name, device.removals());
    }

    @Override
    @Nullable
    public Node child(String name, boolean evenGone) {
        return evenGone || present(name) ? children().get(name) : null;
    }
}
