package dev.neurontest.fake.tree;

import dev.neurontest.fake.driver.Device;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory with an entry {@code neuronN} for each device that is there, beside what it always has. */
final class NumberedDirectory extends DirectoryNode {

    private final List<Device> devices;
    private final Map<String, Device> byName;
    private final FixedDirectory always;
    private final List<Node> entries;

    NumberedDirectory(
            DirectoryNode parent, String name, List<Device> devices, Function<NumberedDirectory, List<Node>> entries) {
        super(parent, name);
        this.devices = devices;
        this.byName = devices.stream().collect(Collectors.toUnmodifiableMap(Device::toString, Function.identity()));
        this.always = new FixedDirectory(parent, name);
        this.entries = entries.apply(this);
    }

    /** Takes files that are there whatever devices are. */
    FixedDirectory always() {
        return always;
    }

    @Override
    boolean varies() {
        return true;
    }

    @Override
    List<String> names() {
        List<String> present =
                devices.stream().filter(Device::present).map(Device::toString).toList();
        return Stream.concat(present.stream(), always.names().stream()).toList();
    }

    @Override
    @Nullable
    Node child(String name, boolean evenGone) {
        Device device = byName.get(name);
        if (device != null) {
            return evenGone || device.present() ? entries.get(device.index()) : null;
        }
        return always.child(name, evenGone);
    }
}
