package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.driver.Counter;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.NotifiedFile;
import dev.neurontest.fake.internal.files.FakeEntry;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A file with its permission bits, its content and its faults. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FileNode extends Node {

    /** Size that {@code stat} reports for every attribute, and the maximum number of bytes of a write. */
    public static final int PAGE = 4096;

    private volatile int mode;
    private final long size;
    private final Content content;
    private final @Nullable DeviceDirectory home;
    private final int minor;
    private final FaultList faults = new FaultList();
    private volatile @Nullable NotifiedFile notified;

    private FileNode(
            DirectoryNode parent,
            String name,
            int mode,
            long size,
            Content content,
            @Nullable DeviceDirectory home,
            int minor) {
        super(parent, name);
        this.mode = mode;
        this.size = size;
        this.content = content;
        this.home = home;
        this.minor = minor;
    }

    /** Creates a file of sysfs that belongs to no device. */
    static FileNode attribute(DirectoryNode parent, String name, int mode, Supplier<String> text) {
        return attribute(parent, name, mode, new Content.Text(text, FileNode::ignore), null);
    }

    /** Creates a file of sysfs. It belongs to the device of {@code home}, or to no device if that is null. */
    static FileNode attribute(
            DirectoryNode parent, String name, int mode, Content content, @Nullable DeviceDirectory home) {
        return new FileNode(parent, name, mode, PAGE, content, home, -1);
    }

    /** Creates a file outside sysfs. */
    static FileNode ordinary(DirectoryNode parent, String name, int mode, Supplier<String> text) {
        return new FileNode(parent, name, mode, 0, new Content.Text(text, FileNode::ignore), null, -1);
    }

    private static void ignore(byte[] written) {}

    /** Creates a file outside sysfs that never changes. */
    static FileNode fixed(DirectoryNode parent, String name, int mode, String text) {
        return new FileNode(parent, name, mode, 0, new Content.Fixed(text), null, -1);
    }

    /** Creates the node of a device. Its content is empty. */
    static FileNode ofDevice(DirectoryNode parent, String name, int mode, int minor) {
        return new FileNode(parent, name, mode, 0, new Content.Fixed(""), null, minor);
    }

    /**
     * Returns the minor number of a device node.
     *
     * @return number of the device such as 3; negative for any other file
     */
    public int minor() {
        return minor;
    }

    Content content() {
        return content;
    }

    /**
     * Returns the counter that the file shows.
     *
     * @return the counter, or null if the file shows none
     */
    public @Nullable Counter counter() {
        return content instanceof Content.Number number ? number.counter() : null;
    }

    /**
     * Passes bytes written by another program to the content, without calling the faults.
     *
     * @param written at most {@link #PAGE} bytes
     */
    public void store(byte[] written) {
        content.store(written);
    }

    /** Returns whether the file is in sysfs. */
    public boolean isAttribute() {
        return size == PAGE;
    }

    /**
     * Returns the device of the file.
     *
     * @return the device, or null if the file belongs to none
     */
    public @Nullable Device device() {
        return home != null ? home.device() : null;
    }

    /** Returns the file that the driver names when it wakes pollers, or null for a file of no device. */
    @Nullable
    NotifiedFile notified() {
        if (notified == null) {
            notified = whatTheDriverNotifies();
        }
        return notified;
    }

    private @Nullable NotifiedFile whatTheDriverNotifies() {
        if (content instanceof Content.Number number) {
            return new NotifiedFile.OfCounter(number.counter(), number.field());
        }
        return home == null
                ? null
                : new NotifiedFile.OfAttribute(
                        home.device(), path().substring(home.path().length() + 1));
    }

    /**
     * Returns whether the device of the file is gone.
     *
     * @return false for a file of no device
     */
    public boolean gone() {
        return home != null && !home.device().present();
    }

    /**
     * Returns the permission bits.
     *
     * @return permission bits such as 0444
     */
    public int mode() {
        return mode;
    }

    void mode(int permissionBits) {
        mode = permissionBits;
    }

    FaultList faults() {
        if (!isAttribute()) {
            throw new IllegalArgumentException(path() + " is not a file of sysfs; only files of sysfs can have faults");
        }
        return faults;
    }

    byte[] read() throws IOException {
        byte[] instead = disturbed();
        return instead != null ? instead : content.bytes();
    }

    int read(byte[] buffer) throws IOException {
        byte[] instead = disturbed();
        if (instead == null) {
            return content.bytes(buffer);
        }
        int length = Math.min(instead.length, buffer.length);
        System.arraycopy(instead, 0, buffer, 0, length);
        return length;
    }

    private byte @Nullable [] disturbed() throws IOException {
        if (home != null) {
            home.admit(this);
        }
        return faults.onRead(this);
    }

    int write(byte[] written) throws IOException {
        if (home != null) {
            home.admit(this);
        }
        faults.onWrite(this);
        if (written.length == 0) {
            return 0;
        }
        byte[] passedOn = written.length <= PAGE ? written : Arrays.copyOf(written, PAGE);
        content.store(passedOn);
        return passedOn.length;
    }

    /**
     * Returns the content for views that cannot be called at each read. This call does not count as a read.
     *
     * @return the content or its replacement by a fault
     * @throws IOException if the content cannot be read
     */
    public byte[] shown() throws IOException {
        if (home != null) {
            home.admit(this);
        }
        byte[] instead = faults.shown();
        return instead != null ? instead : content.bytes();
    }

    @Override
    FakeEntry entry() {
        return new FakeEntry(
                FakeEntry.Type.FILE, mode, size, null, minor < 0 ? null : DeviceNumbers.of(minor), generation());
    }
}
