package dev.neurontest.fake.internal.fuse;

import dev.neurontest.fake.FakeTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A directory that a program has open through the mount: what was in it when it began to list. */
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

    /** From an offset on; at 0 the directory is looked at anew. */
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
