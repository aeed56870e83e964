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
 * The view as real files. One thread at a time publishes: what has changed is rendered beside the tree and renamed into it, and what
 * another program has written is handed to the driver and published again.
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
    // No link leads nowhere at any time.
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
     * Makes all files but some.
     *
     * @param tree what to show
     * @param driver its state
     * @param folder where; deleted in the end
     * @param elsewhere names in the root that are shown by other means
     * @return a view that is complete and kept current
     * @throws IOException when a file cannot be made; nothing is left behind
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
            throw new IOException("the JVM is ending, so that nothing would delete " + root() + " afterwards", e);
        }
        // What changes while the files are made waits in the publisher's queue.
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
     * The root of the host.
     *
     * @return an absolute path without links
     */
    public Path root() {
        return folder.root();
    }

    /**
     * Says what must be gone from the folder before it is emptied.
     *
     * @param end takes it away, also when the JVM ends
     */
    public void beforeDeleting(Runnable end) {
        beforeDeleting = end;
    }

    /**
     * Checks whether writes are noticed by looking at all files now and then, because the system has too few watches.
     *
     * @return false while the system tells of each
     */
    public boolean rescans() {
        return watch == null;
    }

    /**
     * Waits until every change made so far is in the files.
     *
     * @throws IOException when that takes longer than a minute
     * @throws InterruptedException when the thread is interrupted while it waits
     */
    public void awaitPublished() throws IOException, InterruptedException {
        publisher.now(() -> {});
    }

    // ---- what the publishing thread does

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

    /** Updates directories in the given order, and discards entries that are gone. */
    private void update(RetryState retry, String... directories) {
        Publisher.Task update = () -> {
            published.update(List.of(directories));
            retry.known = false;
        };
        attempt(retry, "files", update, update);
    }

    /** Tries again what fails until it succeeds, with one line in the journal. */
    private void attempt(RetryState retry, Object what, Publisher.Task step, Publisher.Task again) {
        try {
            step.run();
        } catch (IOException e) {
            if (!retry.known && !closed) {
                driver.journal().add(what + " cannot be published, will be tried again: " + e + folder.advice(e));
            }
            retry.known = true;
            if (!retry.retryQueued) {
                retry.retryQueued = true;
                publisher.after(RETRY_PAUSE, () -> {
                    retry.retryQueued = false;
                    attempt(retry, what, again, again);
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

    // ---- what has changed in the state

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

        /** A reader that sees no reference to the module takes the counters to be final. */
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

        /** False when the thread was interrupted while it waited for that. */
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

    // ---- what other programs have written

    private void openWatch() {
        try {
            watch = new WriteWatch(watches, this::suspect, () -> publisher.soon(this::rescan));
        } catch (IOException e) {
            rescanFromNowOn(e);
        }
    }

    /** Not at once: of a large host it takes as long as to make the files, and they can be read meanwhile. */
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
        for (int left = WATCHED_AT_ONCE; left > 0 && !unwatched.isEmpty() && !closed; left--) {
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
                        + "): files are looked at every " + RESCAN_PAUSE.toMillis()
                        + " ms instead; fs.inotify.max_user_watches sets how many there are");
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

    /** Stops publishing and deletes everything under the root, and the root if it was made here. */
    @Override
    public synchronized void close() {
        // Synchronized, so that a JVM that is ending waits for the thread that is deleting already.
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
            // The message of most file system exceptions is the file alone.
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
            // The JVM is ending, and this may be that very hook.
        }
    }
}
