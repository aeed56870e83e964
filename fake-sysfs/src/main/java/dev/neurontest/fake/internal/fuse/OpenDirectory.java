package dev.neurontest.fake.internal.fuse;

import dev.neurontest.fake.FakeTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A directory that a program has open through the mount, with its entries at the start of the listing. */
final class OpenDirectory {

    private final FakeTree tree;
    private final Nodes.Node node;
    private List<String> names;

    OpenDirectory(FakeTree tree, Nodes.Node node) throws IOException {
        this.tree = tree;
        this.node = node;
        this.names = list();
    }

    Nodes.Node node() {
        return node;
    }

    /** Returns the names from an offset on. At offset 0 the directory is read again. */
    synchronized List<String> names(long offset) throws IOException {
        if (offset == 0) {
            names = list();
        }
        return offset >= names.size() ? List.of() : names.subList((int) offset, names.size());
    }

    private List<String> list() throws IOException {
        List<String> all = new ArrayList<>();
        all.add(".");
        all.add("..");
        all.addAll(tree.list(node.path()));
        return all;
    }
}
