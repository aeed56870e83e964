package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.files.FakeEntry;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A directory of the tree. */
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
     * Lists the names that a reader sees now.
     *
     * @return the names in listing order
     */
    public abstract List<String> names();

    /**
     * Finds an entry by its name.
     *
     * @param name a name from {@link #names()}, or any other name
     * @param evenGone true to include entries of removed devices
     * @return the entry, or null if there is none
     */
    public abstract @Nullable Node child(String name, boolean evenGone);

    /** Returns whether devices or processes are added and removed in this directory. */
    public boolean varies() {
        return false;
    }

    /**
     * Returns an object that identifies the entry of a name. It detects that a name now belongs to a different entry.
     *
     * @param name a name from {@link #names()}
     * @return an object that stays equal while the name belongs to the same entry
     */
    public Object behind(String name) {
        return name;
    }

    /**
     * Returns the permission bits.
     *
     * @return permission bits such as 0755
     */
    public int mode() {
        return mode;
    }

    @Override
    FakeEntry entry() {
        return new FakeEntry(FakeEntry.Type.DIRECTORY, mode, 0, null, null, generation());
    }
}
