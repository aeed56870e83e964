package dev.neurontest.fake.tree;

import dev.neurontest.fake.driver.Device;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A directory of a recording that belongs to no device: entries may come and go, by themselves and with a device. */
final class RecordedDirectory extends DirectoryNode {

    private final Map<String, Node> children = new LinkedHashMap<>();
    private final Map<String, Device> devices = new LinkedHashMap<>();
    private final Set<String> hidden = ConcurrentHashMap.newKeySet();
    private final boolean varies;

    /** @param varies whether devices come and go in it */
    RecordedDirectory(@Nullable DirectoryNode parent, String name, int mode, boolean varies) {
        super(parent, name, mode);
        this.varies = varies;
    }

    void add(Node child) {
        children.put(child.name(), child);
    }

    /** Adds what is there only while a device is. */
    void add(Node child, Device device) {
        add(child);
        devices.put(child.name(), device);
    }

    void show(String name, boolean shown) {
        if (shown) {
            hidden.remove(name);
        } else {
            hidden.add(name);
        }
    }

    void hideAll() {
        hidden.addAll(children.keySet());
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
        return children.keySet().stream().filter(this::present).toList();
    }

    @Override
    @Nullable
    public Node child(String name, boolean evenGone) {
        return evenGone || present(name) ? children.get(name) : null;
    }
}
