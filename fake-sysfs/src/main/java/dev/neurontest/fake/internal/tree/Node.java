package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.files.FakeEntry;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Something in the tree that has a name. */
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
     * Where it is, relative to the root.
     *
     * @return empty for the root
     */
    public final String path() {
        if (parent == null) {
            return name;
        }
        String above = parent.path();
        return above.isEmpty() ? name : above + '/' + name;
    }

    /** Whether the node is the same for as long as the host lives. */
    boolean lasting() {
        return parent == null || parent.lasting();
    }

    /** Whether its path leads to it now. */
    final boolean isThere() {
        return parent == null || parent.child(name, false) == this && parent.isThere();
    }

    /** Returns how often its device went away, since what came back is another directory; 0 for what belongs to no device. */
    int generation() {
        return parent == null ? 0 : parent.generation();
    }

    abstract FakeEntry entry();
}
