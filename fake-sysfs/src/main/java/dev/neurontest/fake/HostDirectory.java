package dev.neurontest.fake;

import dev.neurontest.fake.internal.driver.ChangeListener;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.Journal;
import dev.neurontest.fake.internal.fuse.FuseMount;
import dev.neurontest.fake.internal.tree.InProcessTree;
import dev.neurontest.fake.internal.tree.directory.DirectoryView;
import dev.neurontest.fake.internal.tree.layout.Layout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files of a host for other programs: only ordinary files, or ordinary files with {@code sys} as a mount.
 *
 * @param files the ordinary files
 * @param mount null if all files are ordinary
 * @param fallback the reason why there is no mount although one was requested; otherwise null
 */
record HostDirectory(
        DirectoryView files,
        @Nullable FuseMount mount,
        @Nullable String fallback) {

    /** Name of the mounted directory, in the root. */
    static final String MOUNTED = "sys";

    private static final String[] VARYING = {Layout.CLASS, Layout.DEVICES};

    /** Mounts {@code sys} among the ordinary files, until these are deleted. */
    static HostDirectory mount(InProcessTree tree, Driver driver, DirectoryView files) throws IOException {
        Path point = Files.createDirectory(files.root().resolve(MOUNTED));
        FuseMount mount = FuseMount.open(tree.readBy(FakeReader.ROOT), MOUNTED, point);
        ChangeListener devices = new ChangeListener() {
            @Override
            public void devicesChanged() {
                mount.entriesChanged(VARYING);
            }
        };
        driver.addListener(devices);
        files.beforeDeleting(() -> {
            driver.removeListener(devices);
            mount.close();
        });
        driver.journal().add("mounted at " + mount.point());
        return new HostDirectory(files, mount, null);
    }

    static void unmountDead(Journal journal) {
        FuseMount.left(true).forEach(point -> journal.add("unmounted " + point + ", left behind by a killed process"));
    }

    FakeView view() {
        return mount != null ? FakeView.FUSE : FakeView.DIRECTORY;
    }

    void awaitPublished() throws IOException, InterruptedException {
        files.awaitPublished();
        if (mount != null) {
            mount.awaitEntries();
        }
    }
}
