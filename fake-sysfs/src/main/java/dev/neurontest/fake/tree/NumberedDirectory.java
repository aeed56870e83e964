package dev.neurontest.fake.tree;

import dev.neurontest.fake.driver.Device;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory with an entry for each device that is there, nearly always {@code neuronN}, beside what it always has. */
final class NumberedDirectory extends DirectoryNode {

    private final Map<String, Device> devices;
    private final FixedDirectory always;
    private final Map<String, Node> entries = new HashMap<>();

    /** What stands for a device. */
    interface Entry {
        Node in(DirectoryNode directory, String name, Device device);
    }

    /** @param devices by the name of their entries, in their order */
    NumberedDirectory(DirectoryNode parent, String name, Map<String, Device> devices, Entry entry) {
        super(parent, name);
        this.devices = devices;
        this.always = new FixedDirectory(parent, name);
        devices.forEach((named, device) -> entries.put(named, entry.in(this, named, device)));
    }

    /** Takes files that are there whatever devices are. */
    FixedDirectory always() {
        return always;
    }

    @Override
    public boolean varies() {
        return true;
    }

    @Override
    public List<String> names() {
        return Stream.concat(
                        devices.entrySet().stream()
                                .filter(entry -> entry.getValue().present())
                                .map(Map.Entry::getKey),
                        always.names().stream())
                .toList();
    }

    @Override
    public Object behind(String name) {
        Device device = devices.get(name);
        return device == null ? name : List.of(name, device.removals());
    }

    @Override
    @Nullable
    public Node child(String name, boolean evenGone) {
        Device device = devices.get(name);
        if (device != null) {
            return evenGone || device.present() ? entries.get(name) : null;
        }
        return always.child(name, evenGone);
    }
}
