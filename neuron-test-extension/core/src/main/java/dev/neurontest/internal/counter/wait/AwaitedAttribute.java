package dev.neurontest.internal.counter.wait;

import dev.neurontest.counter.CounterPlace;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.device.Nodes;
import dev.neurontest.internal.device.driver.KnownNodes;
import dev.neurontest.internal.host.EntryKind;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** An attribute of devices or cores as the target of a wait. */
record AwaitedAttribute(HostTree tree, String name, List<CounterPlace> places, HostTree.Batch batch)
        implements AwaitTarget {

    /** Finds an attribute on the devices, then on the cores. */
    static Optional<AwaitTarget> find(CounterScope scope, String name) {
        if (Stream.of(name.split("/", -1)).anyMatch(step -> step.isBlank() || step.equals(".") || step.equals(".."))) {
            return Optional.empty();
        }
        return Stream.of(scope.deviceSubjects(), scope.coreSubjects())
                .map(level -> level.stream()
                        .flatMap(subject -> subject.sections().stream())
                        .toList())
                .flatMap(level -> level.stream()
                        .flatMap(section -> file(scope.tree(), section, name).stream())
                        .limit(1)
                        // If one place has the attribute, the others are included too, because a device may come back.
                        .map(file -> of(scope.tree(), name, level, file)))
                .findFirst();
    }

    private static AwaitTarget of(HostTree tree, String name, List<CounterScope.Section> level, String file) {
        return new AwaitedAttribute(
                tree,
                name,
                level.stream().map(CounterScope.Section::place).toList(),
                tree.prepare(level.stream()
                        .map(section -> section.directory() + "/" + file)
                        .toList()));
    }

    /** Returns the path of the attribute below a device or core: the name as written in the test, or another path with this name. */
    private static Optional<String> file(HostTree tree, CounterScope.Section section, String name) {
        if (tree.exists(section.directory() + "/" + name)) {
            return Optional.of(name)
                    .filter(file -> tree.kind(section.directory() + "/" + file)
                            .filter(kind -> kind == EntryKind.FILE || kind == EntryKind.OTHER)
                            .isPresent());
        }
        return KnownNodes.place(section.place().core().isPresent(), name.substring(name.lastIndexOf('/') + 1))
                .filter(usual -> usual.equals(name) || usual.endsWith("/" + name))
                .flatMap(Nodes.below(tree, section.directory())::find);
    }

    @Override
    public boolean isCounter() {
        return false;
    }

    @Override
    public List<AwaitedValue> values(CounterSnapshot base, CounterSnapshot now, boolean each) {
        AwaitedValue[] values = new AwaitedValue[batch.size()];
        batch.read(new HostTree.Sink() {
            @Override
            public void content(int index, byte[] buffer, int length) {
                String text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
                values[index] = AwaitedValue.ofAttribute(
                        places.get(index).toString(),
                        text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
            }

            @Override
            public void failed(int index, IOException cause) {
                values[index] = AwaitedValue.unreadable(
                        places.get(index).toString(),
                        NeuronSysfsException.unreadable(
                                        tree.location(batch.path(index)),
                                        "Check whether the device is still present (neuron-ls, dmesg).",
                                        cause)
                                .getMessage());
            }
        });
        return Arrays.asList(values);
    }
}
