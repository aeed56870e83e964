package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.files.FakeEntry;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A directory. */
@API(status = API.Status.INTERNAL, since = "0.1")
public abstract non-sealed class DirectoryNode extends Node {

    private final int mode;

    DirectoryNode(@Nullable DirectoryNode parent, String name) {
        this(parent, name, 0755);
    }

    DirectoryNode(@Nullable DirectoryNode parent, String name, int mode) {
        super(parent, name);
        this.mode = mode;
    }

    /**
     * What a reader sees in it now.
     *
     * @return in the order in which they are listed
     */
    public abstract List<String> names();

    /**
     * What has a name in it.
     *
     * @param name one of {@link #names()}, or any other
     * @param evenGone also what belongs to a device that is gone
     * @return null for nothing
     */
    public abstract @Nullable Node child(String name, boolean evenGone);

    /**
     * Whether devices or processes come and go in it.
     *
     * @return true when they do
     */
    public boolean varies() {
        return false;
    }

    /**
     * What stands behind a name, for telling it from what had the name before.
     *
     * @param name one of {@link #names()}
     * @return equal as long as the name stands for the same
     */
    public Object behind(String name) {
        return name;
    }

    /**
     * Its permission bits.
     *
     * @return such as 0755
     */
    public int mode() {
        return mode;
    }

    @Override
    FakeEntry entry() {
        return new FakeEntry(FakeEntry.Type.DIRECTORY, mode, 0, null, null, generation());
    }
}
