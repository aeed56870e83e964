package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.files.FakeEntry;
import org.apiguardian.api.API;

/** A symbolic link. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LinkNode extends Node {

    private static final int MODE = 0777;

    private volatile String target;

    LinkNode(DirectoryNode parent, String name, String target) {
        super(parent, name);
        this.target = target;
    }

    /** Returns the target as it was written. */
    public String target() {
        return target;
    }

    void pointTo(String newTarget) {
        target = newTarget;
    }

    @Override
    FakeEntry entry() {
        String to = target;
        return new FakeEntry(FakeEntry.Type.LINK, MODE, to.length(), to, null, generation());
    }
}
