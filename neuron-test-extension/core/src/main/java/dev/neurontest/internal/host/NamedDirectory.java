package dev.neurontest.internal.host;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A directory whose entries are found by their paths, on a host without relative access to files. */
record NamedDirectory(HostTree tree, String path) implements HostDirectory {

    @Override
    public List<String> names() throws IOException {
        return tree.list(path);
    }

    @Override
    public Optional<EntryKind> kind(String name) {
        return tree.kind(path + "/" + name);
    }

    @Override
    public HostDirectory open(String name) {
        return new NamedDirectory(tree, path + "/" + name);
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
