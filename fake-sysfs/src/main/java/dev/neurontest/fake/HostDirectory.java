package dev.neurontest.fake;

import dev.neurontest.fake.driver.ChangeListener;
import dev.neurontest.fake.driver.Driver;
import dev.neurontest.fake.driver.Journal;
import dev.neurontest.fake.files.FakeReader;
import dev.neurontest.fake.fuse.FuseMount;
import dev.neurontest.fake.fuse.FuseUnavailableException;
import dev.neurontest.fake.tree.InProcessTree;
import dev.neurontest.fake.tree.directory.DirectoryView;
import dev.neurontest.fake.tree.layout.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The files of a host as files: all of them ordinary ones, or those below {@code sys} in a mount. */
final class HostDirectory implements AutoCloseable {

    static final String MOUNTED = "sys";
    private static final String[] VARYING = {Layout.CLASS, Layout.DEVICES};

    private final Driver driver;
    private final DirectoryView files;
    private final @Nullable FuseMount mount;
    private final @Nullable String fallback;
    private final ChangeListener devices = new DevicesListener();

    private HostDirectory(Driver driver, DirectoryView files, @Nullable FuseMount mount, @Nullable String fallback) {
        this.driver = driver;
        this.files = files;
        this.mount = mount;
        this.fallback = fallback;
        if (mount != null) {
            driver.addListener(devices);
        }
    }

    /** Of ordinary files. */
    HostDirectory(Driver driver, DirectoryView files) {
        this(driver, files, null, null);
    }

    /** Of ordinary files, which stand in for a mount. */
    HostDirectory(Driver driver, DirectoryView files, String fallback) {
        this(driver, files, null, fallback);
    }

    /**
     * Mounts the files that the view does not have.
     *
     * @param files without {@link #MOUNTED}
     * @throws FuseUnavailableException when there can be no mount, and why
     */
    static HostDirectory mount(InProcessTree tree, Driver driver, DirectoryView files) throws IOException {
        Path point = Files.createDirectory(files.root().resolve(MOUNTED));
        FuseMount mount = FuseMount.open(tree.readBy(FakeReader.ROOT), MOUNTED, point);
        files.beforeDeleting(mount::close);
        driver.journal().add("mounted at " + mount.point());
        return new HostDirectory(driver, files, mount, null);
    }

    /** Unmounts what killed processes of this user have left. */
    static void unmountDead(Journal journal) {
        FuseMount.cleanDead().forEach(point -> journal.add("unmounted " + point + ", which a killed process had left"));
    }

    Path root() {
        return files.root();
    }

    FakeView view() {
        return mount != null ? FakeView.FUSE : FakeView.DIRECTORY;
    }

    Optional<String> fallback() {
        return Optional.ofNullable(fallback);
    }

    boolean rescanning() {
        return files.watching() == DirectoryView.Watching.BY_RESCANNING;
    }

    void awaitPublished() throws IOException, InterruptedException {
        files.awaitPublished();
        if (mount != null) {
            mount.awaitEntries();
        }
    }

    @Override
    public void close() {
        driver.removeListener(devices);
        files.close();
    }

    private final class DevicesListener implements ChangeListener {

        @Override
        public void devicesChanged() {
            if (mount != null) {
                mount.entriesChanged(VARYING);
            }
        }
    }
}
