package dev.neurontest.host;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Waits for inotify. sysfs raises it for whatever the driver notifies of, but only while the file's inode is in memory: that is why
 * each file is held open. A plain directory whose files are replaced reports new ones.
 */
final class FileWatch implements HostTree.Watch {

    private final WatchService service;
    private final List<InputStream> held = new ArrayList<>();

    /**
     * Begins to watch.
     *
     * @throws IOException when a file is not there, or its file system reports no changes of its own
     */
    FileWatch(FileTree tree, List<String> paths, OpenOption... options) throws IOException {
        this.service = tree.root().getFileSystem().newWatchService();
        try {
            Set<Path> directories = new HashSet<>();
            for (String path : paths) {
                Path file = tree.inside(path);
                if (SilentFiles.isNoFile(file)) {
                    throw SilentFiles.noFile(tree.location(path));
                }
                held.add(Files.newInputStream(file, options));
                Path directory = file.toAbsolutePath().getParent();
                if (directories.add(directory)) {
                    requireReports(Files.getFileStore(directory).type());
                    directory.register(
                            service, StandardWatchEventKinds.ENTRY_MODIFY, StandardWatchEventKinds.ENTRY_CREATE);
                }
            }
        } catch (IOException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /** FUSE has inotify for what goes through it, and none for what its server changes. */
    static void requireReports(String type) throws IOException {
        if (type.startsWith("fuse")) {
            throw new IOException("a file system of the kind " + type + " reports no changes of its own");
        }
    }

    @Override
    public boolean await(Duration atMost) throws InterruptedException {
        WatchKey key = service.poll(Math.max(0, atMost.toNanos()), TimeUnit.NANOSECONDS);
        boolean woken = key != null;
        while (key != null) {
            key.pollEvents();
            key.reset();
            key = service.poll();
        }
        return woken;
    }

    @Override
    public void close() {
        for (InputStream file : held) {
            closeQuietly(file);
        }
        closeQuietly(service);
    }

    private static void closeQuietly(Closeable open) {
        try {
            open.close();
        } catch (IOException closedAllTheSame) {
            // Nothing was written.
        }
    }
}
