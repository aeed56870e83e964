package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.files.FakeEntry;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A named node of the tree. */
@API(status = API.Status.INTERNAL, since = "0.1")
public abstract sealed class Node permits FileNode, DirectoryNode, LinkNode {

    private final @Nullable DirectoryNode parent;
    private final String name;

    Node(@Nullable DirectoryNode parent, String name) {
        this.parent = parent;
        this.name = name;
    }

    final @Nullable DirectoryNode parent() {
        return parent;
    }

    final String name() {
        return name;
    }

    /**
     * Returns the path relative to the root.
     *
     * @return the path; empty for the root
     */
    public final String path() {
        if (parent == null) {
            return name;
        }
        String above = parent.path();
        return above.isEmpty() ? name : above + '/' + name;
    }

    /** Returns whether the node stays the same until the host closes. */
    boolean lasting() {
        return parent == null || parent.lasting();
    }

    /** Returns whether the path of the node resolves to it now. */
    final boolean isThere() {
        return parent == null || parent.child(name, false) == this && parent.isThere();
    }

    /**
     * Returns the number of removals of the node's device, because a restored device has a new directory. Returns 0 for a node of
     * no device.
     */
    int generation() {
        return parent == null ? 0 : parent.generation();
    }

    abstract FakeEntry entry();
}
