package dev.neurontest.fake.tree;

import dev.neurontest.fake.files.FakeEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A directory. */
abstract non-sealed class DirectoryNode extends Node {

    private final int mode;

    DirectoryNode(@Nullable DirectoryNode parent, String name) {
        this(parent, name, 0755);
    }

    DirectoryNode(@Nullable DirectoryNode parent, String name, int mode) {
        super(parent, name);
        this.mode = mode;
    }

    /** What a reader sees in it now. */
    abstract List<String> names();

    /**
     * What has a name in it.
     *
     * @param evenGone also what belongs to a device that is gone
     */
    abstract @Nullable Node child(String name, boolean evenGone);

    /** Whether devices or processes come and go in it. */
    boolean varies() {
        return false;
    }

    /** What stands behind a name, for telling it from what had the name before. */
    Object behind(String name) {
        return name;
    }

    int mode() {
        return mode;
    }

    @Override
    FakeEntry entry() {
        return new FakeEntry(FakeEntry.Type.DIRECTORY, mode, 0, null, null);
    }
}
