package dev.neurontest.fake.internal.tree.directory;

import dev.neurontest.fake.internal.driver.ChangeListener;
import dev.neurontest.fake.internal.driver.Counter;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.files.OpenFileLimit;
import dev.neurontest.fake.internal.tree.InProcessTree;
import dev.neurontest.fake.internal.tree.layout.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The view of the file tree as real files. Only one thread publishes at a time. Changed values are written to a staging folder and
 * renamed into the tree. Writes of other programs are passed to the driver, and the files are published again.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DirectoryView implements AutoCloseable {

    private static final String STAGING = ".publishing";

    private static final String NODES = "dev";
    private static final String PROCESSES = "proc";
    private static final String REFERENCES = "sys/module/neuron/refcnt";

    private static final Duration RESCAN_PAUSE = Duration.ofMillis(200);
    private static final Duration REGISTERS_PAUSE = Duration.ofMillis(1000);
    private static final Duration RESET_PAUSE = Duration.ofMillis(10);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(500);
    private static final int WATCHED_AT_ONCE = 100;

    private final Driver driver;
    private final HostFolder folder;
    private final PublishedTree published;
    private final WriteWatch.Source watches;
    // The directories of a state are updated in a fixed order, which keeps every link valid at any time.
    private final RetryState deviceEntries = new RetryState();
    private final RetryState processEntries = new RetryState();
    private final Changes changes = new Changes();
    private final Queue<Runnable> unwatched = new ArrayDeque<>();
    private final Map<Device, AtomicBoolean> registersQueued = new ConcurrentHashMap<>();
    private final Thread atExit = new Thread(this::closeAtExit, "fake-neuron-cleanup");
    private final Publisher publisher;
    private volatile @Nullable WriteWatch watch;
    private volatile Runnable beforeDeleting = () -> {};
    private volatile boolean closed;

    private DirectoryView(
            InProcessTree tree, Driver driver, HostFolder folder, Set<String> elsewhere, WriteWatch.Source watches)
            throws IOException {
        this.driver = driver;
        this.folder = folder;
        this.watches = watches;
        this.publisher = new Publisher(folder.root().toString());
        this.published = new PublishedTree(
                tree.root(),
                elsewhere,
                folder.root(),
                new Staging(folder.root().resolve(STAGING)),
                driver.journal(),
                this::watchSoon);
        driver.devices().forEach(device -> registersQueued.put(device, new AtomicBoolean()));
    }

    /**
     * Creates all files except some.
     *
     * @param tree the tree to publish
     * @param driver the state of the tree
     * @param folder the target folder, which is deleted on close
     * @param elsewhere names in the root that are published by other means
     * @return a complete view that is kept up to date
     * @throws IOException if a file cannot be created; all created files are deleted then
     */
    public static DirectoryView open(InProcessTree tree, Driver driver, HostFolder folder, Set<String> elsewhere)
            throws IOException {
        return open(
                tree, driver, folder, elsewhere, () -> FileSystems.getDefault().newWatchService());
    }

    static DirectoryView open(
            InProcessTree tree, Driver driver, HostFolder folder, Set<String> elsewhere, WriteWatch.Source watches)
            throws IOException {
        DirectoryView view;
        try {
            view = new DirectoryView(tree, driver, folder, elsewhere, watches);
        } catch (IOException | RuntimeException e) {
            folder.delete();
            throw e;
        }
        try {
            view.start();
        } catch (IOException | RuntimeException e) {
            view.close();
            throw e;
        }
        return view;
    }

    private void start() throws IOException {
        try {
            Runtime.getRuntime().addShutdownHook(atExit);
        } catch (IllegalStateException e) {
            throw new IOException("the JVM is ending and could not delete " + root() + " afterwards", e);
        }
        // Changes that occur while the files are created wait in the queue of the publisher.
        driver.addListener(changes);
        try {
            publisher.now(() -> {
                openWatch();
                published.create();
                HostTools.create(root());
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + root() + " was filled", e);
        }
        publisher.every(REGISTERS_PAUSE, () -> driver.devices().forEach(this::publishRegisters));
    }

    /**
     * Returns the root of the host.
     *
     * @return an absolute path without links
     */
    public Path root() {
        return folder.root();
    }

    /**
     * Registers an action that runs before the folder is emptied.
     *
     * @param end the action, which also runs when the JVM ends
     */
    public void beforeDeleting(Runnable end) {
        beforeDeleting = end;
    }

    /**
     * Checks whether writes are detected by scanning all files periodically, because the system has too few watches.
     *
     * @return false while the system reports each write
     */
    public boolean rescans() {
        return watch == null;
    }

    /**
     * Waits until every change so far is published.
     *
     * @throws IOException if that takes longer than a minute
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public void awaitPublished() throws IOException, InterruptedException {
        publisher.now(() -> {});
    }

    // ---- tasks of the publishing thread

    private void queue(PublishedFile file) {
        if (file.queue()) {
            publisher.soon(() -> publish(file));
        }
    }

    private void publish(PublishedFile file) {
        file.dequeue();
        attempt(file, published::publish);
    }

    private void inspect(PublishedFile file) {
        attempt(file, published::inspect);
    }

    private interface Step {
        long of(PublishedFile file) throws IOException;
    }

    private void attempt(PublishedFile file, Step step) {
        attempt(file.retry(), file.path(), () -> go(file, step), () -> go(file, published::renew));
    }

    private void go(PublishedFile file, Step step) throws IOException {
        long retry = step.of(file);
        if (retry > 0) {
            publisher.after(Duration.ofMillis(retry), () -> inspect(file));
        }
    }

    /** Updates directories in the given order, and discards removed entries. */
    private void update(RetryState retry, String... directories) {
        Publisher.Task update = () -> {
            published.update(List.of(directories));
            retry.reported = false;
        };
        attempt(retry, "files", update, update);
    }

    /** Runs a step, and retries it until it succeeds. Adds only one line to the journal. */
    private void attempt(RetryState retry, Object subject, Publisher.Task step, Publisher.Task again) {
        try {
            step.run();
        } catch (IOException e) {
            if (!retry.reported && !closed) {
                driver.journal().add(subject + " cannot be published and will be retried: " + e + folder.advice(e));
            }
            retry.reported = true;
            if (!retry.retryQueued) {
                retry.retryQueued = true;
                publisher.after(RETRY_PAUSE, () -> {
                    retry.retryQueued = false;
                    attempt(retry, subject, again, again);
                });
            }
        }
    }

    private void publishRegisters(Device device) {
        registersQueued.get(device).set(false);
        published.registersOf(device).forEach(this::publish);
        if (device.present() && device.resetState() == 0) {
            publisher.after(RESET_PAUSE, () -> publishRegisters(device));
        }
    }

    // ---- changes of the state

    private final class Changes implements ChangeListener {

        @Override
        public void counterChanging(Counter counter) {
            for (PublishedFile file : published.filesOf(counter)) {
                if (published.takeWrite(file)) {
                    publisher.soon(() -> inspect(file));
                }
            }
        }

        @Override
        public void counterChanged(Counter counter) {
            published.filesOf(counter).forEach(DirectoryView.this::queue);
        }

        @Override
        public void registersChanged(Device device) {
            if (registersQueued.get(device).compareAndSet(false, true)) {
                publisher.soon(() -> publishRegisters(device));
            }
        }

        @Override
        public void fileChanged(String path) {
            publishAgain(path);
        }

        @Override
        public void devicesChanged() {
            publisher.soon(() -> update(deviceEntries, Layout.CLASS, NODES, Layout.DEVICES));
        }

        /**
         * Publishes the new process and waits for it. A reader that sees no reference to the module assumes that the counters are
         * final.
         */
        @Override
        public void processOpened() {
            processEnded();
            boolean interrupted = Thread.interrupted();
            while (!isPublished()) {
                interrupted = true;
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** Returns false if the thread was interrupted while it waited. */
        private boolean isPublished() {
            try {
                awaitPublished();
            } catch (IOException late) {
                driver.journal().add(late.getMessage());
            } catch (InterruptedException e) {
                return false;
            }
            return true;
        }

        @Override
        public void processEnded() {
            publisher.soon(() -> update(processEntries, PROCESSES));
            publishAgain(REFERENCES);
        }
    }

    private void publishAgain(String path) {
        PublishedFile file = published.file(root().resolve(path));
        if (file != null) {
            queue(file);
        }
    }

    // ---- writes of other programs

    private void openWatch() {
        try {
            watch = new WriteWatch(watches, this::suspect, () -> publisher.soon(this::rescan));
        } catch (IOException e) {
            rescanFromNowOn(e);
        }
    }

    /**
     * Queues the registration of a watch. On a large host the registration takes as long as creating the files, and until then the
     * files are already readable.
     */
    private void watchSoon(Path directory, List<PublishedFile> files) {
        unwatched.add(() -> {
            watch(directory);
            files.forEach(this::inspect);
        });
        if (unwatched.size() == 1) {
            publisher.after(Duration.ZERO, this::watchSome);
        }
    }

    private void watchSome() {
        for (int remaining = WATCHED_AT_ONCE; remaining > 0 && !unwatched.isEmpty() && !closed; remaining--) {
            unwatched.remove().run();
        }
        if (!unwatched.isEmpty()) {
            publisher.after(Duration.ZERO, this::watchSome);
        }
    }

    private void watch(Path directory) {
        WriteWatch open = watch;
        if (open == null) {
            return;
        }
        try {
            open.add(directory);
        } catch (IOException e) {
            watch = null;
            open.close();
            rescanFromNowOn(e);
        }
    }

    private void rescanFromNowOn(IOException reason) {
        driver.journal()
                .add("no inotify watches left for " + root() + " (" + reason.getMessage()
                        + "): files are polled every " + RESCAN_PAUSE.toMillis()
                        + " ms instead; raise fs.inotify.max_user_watches to avoid this");
        publisher.every(RESCAN_PAUSE, this::rescan);
    }

    private void suspect(Path path) {
        PublishedFile file = published.file(path);
        if (file != null) {
            publisher.soon(() -> inspect(file));
        }
    }

    private void rescan() {
        published.files().forEach(this::inspect);
    }

    /** Stops publishing and deletes everything below the root. The root is deleted too if this process created it. */
    @Override
    public synchronized void close() {
        // Synchronized: when the JVM ends, its shutdown hook waits for a thread that is already deleting.
        if (closed) {
            return;
        }
        closed = true;
        driver.removeListener(changes);
        WriteWatch open = watch;
        if (open != null) {
            open.close();
        }
        publisher.stop();
        try {
            beforeDeleting.run();
            published.close();
            folder.delete();
        } catch (IOException e) {
            // The message of most file system exceptions is only the file name.
            String reason = e instanceof FileSystemException ? e.toString() : e.getMessage();
            throw new UncheckedIOException(
                    "cannot delete everything under " + root() + ": " + OpenFileLimit.advice(e, String.valueOf(reason)),
                    e);
        } finally {
            forgetAtExit();
        }
    }

    private void closeAtExit() {
        try {
            close();
        } catch (UncheckedIOException e) {
            System.err.println(e.getMessage());
        }
    }

    private void forgetAtExit() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The JVM is ending, and this may be its shutdown hook.
        }
    }
}
