package dev.neurontest.fake.internal.fuse;

import dev.neurontest.fake.FakeTree;
import dev.neurontest.fake.internal.mounts.MountTable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apiguardian.api.API;

/**
 * A tree or a part of it, mounted as a file system with the semantics of sysfs. Every attribute is 4096 bytes long. Its content is
 * created when it is read from offset 0. The effect of a write is visible in the next read. {@code poll} reports events. Errors and
 * delays of the tree occur in the system calls.
 *
 * <p>Differences from sysfs: A changed value causes no inotify event. {@code MAP_PRIVATE} maps of files succeed (a shared map fails
 * with {@code ENODEV}, as in sysfs). {@code chmod} and {@code chown} are rejected. A directory has a link count of 1.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FuseMount implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 10;

    private final FakeTree tree;
    private final Path point;
    private final Nodes nodes;
    private final FuseDevice device;
    private final TreeServer server;
    private final ServingThreads threads;
    private final Mounting mounting;
    private final MountOwner owner;
    private final ExecutorService invalidator = Executors.newSingleThreadExecutor(task -> daemon(task, "invalidate"));
    private boolean closed;

    private FuseMount(FakeTree tree, String top, Path point, int fd, Mounting mounting, MountOwner owner) {
        this.tree = tree;
        this.point = point;
        this.mounting = mounting;
        this.owner = owner;
        this.nodes = new Nodes(top);
        this.device = new FuseDevice(fd);
        this.server = new TreeServer(
                tree, nodes, new TreeServer.Owner(LinuxCalls.geteuid(), LinuxCalls.getegid()), device::wake);
        this.threads = new ServingThreads(device, server);
    }

    private static Thread daemon(Runnable task, String what) {
        Thread thread = new Thread(task, "neuron-fake-fuse-" + what);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Mounts a tree.
     *
     * @param tree the tree to mount; the kernel checks permissions by the modes and the owner, the user of this process
     * @param top the directory of the tree to use as the root of the mount, empty for all
     * @param point an empty directory
     * @return a mount to be closed; the end of the JVM closes it too
     * @throws FuseUnavailableException if the tree cannot be mounted; the message gives the reason
     */
    public static FuseMount open(FakeTree tree, String top, Path point) throws FuseUnavailableException {
        requireLinux(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
        try {
            return mount(tree, top, point);
        } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
            throw new FuseUnavailableException(
                    "the kernel cannot be called: JNA (net.java.dev.jna:jna) is not on the class path or cannot be loaded: "
                            + firstLine(e),
                    e);
        }
    }

    /**
     * Finds the mounts of this user's fakes after their JVM was killed.
     *
     * @param removing true to unmount them
     * @return the paths of the mounts
     */
    public static List<Path> left(boolean removing) {
        try {
            requireLinux(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
            List<MountTable.Mount> dead = DeadMounts.find();
            if (removing && !dead.isEmpty()) {
                return DeadMounts.clean(mounting());
            }
            return dead.stream().map(mount -> Path.of(mount.point())).toList();
        } catch (FuseUnavailableException | UnsatisfiedLinkError | NoClassDefFoundError e) {
            // A call that mounts reports the reason.
            return List.of();
        }
    }

    static void requireLinux(String system, String machine) throws FuseUnavailableException {
        if (!system.equals("Linux")) {
            throw new FuseUnavailableException("FUSE requires Linux, but this is " + system);
        }
        if (!List.of("amd64", "x86_64", "aarch64").contains(machine)) {
            throw new FuseUnavailableException("FUSE is supported on x86-64 and aarch64 only, but this is " + machine);
        }
    }

    private static String firstLine(Throwable e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static FuseMount mount(FakeTree tree, String top, Path path) throws FuseUnavailableException {
        Mounting mounting = mounting();
        MountOwner owner;
        Path point;
        try {
            owner = MountOwner.current();
            point = usable(path);
        } catch (FuseUnavailableException e) {
            throw e;
        } catch (IOException e) {
            throw new FuseUnavailableException(path + " cannot be mounted on: " + e, e);
        }
        int fd = mounting.mount(point, owner);
        FuseMount mount = new FuseMount(tree, top, point, fd, mounting, owner);
        mount.threads.start();
        return mount;
    }

    private static Mounting mounting() throws FuseUnavailableException {
        requireDevice(Path.of("/dev/fuse"));
        Jna.load();
        return LinuxCalls.geteuid() == 0 ? new MountCall() : MountProgram.find();
    }

    static void requireDevice(Path device) throws FuseUnavailableException {
        if (!Files.exists(device)) {
            throw new FuseUnavailableException(
                    device + " does not exist: the kernel has no FUSE, or the container does not"
                            + " pass it on (docker run --device /dev/fuse)");
        }
        if (!Files.isReadable(device) || !Files.isWritable(device)) {
            throw new FuseUnavailableException(
                    device + " is not readable and writable for this user, see ls -l " + device);
        }
    }

    /** Checks the mount point: an empty directory without a mount. Returns its absolute path without links. */
    private static Path usable(Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new FuseUnavailableException(path + " is not a directory and cannot be a mount point");
        }
        Path point = path.toRealPath();
        if (MountTable.read().stream().anyMatch(mount -> mount.point().equals(point.toString()))) {
            throw new FuseUnavailableException(point + " is in use: it is already a mount point");
        }
        try (DirectoryStream<Path> content = Files.newDirectoryStream(point)) {
            if (content.iterator().hasNext()) {
                throw new FuseUnavailableException(point + " is in use: it is not empty");
            }
        } catch (NoSuchFileException e) {
            throw new FuseUnavailableException(point + " was deleted by another program", e);
        }
        return point;
    }

    /**
     * Returns the mount point.
     *
     * @return an absolute path without links
     */
    public Path point() {
        return point;
    }

    /**
     * Invalidates added or removed entries of directories in the kernel's cache, without waiting.
     *
     * @param directories paths in the tree
     */
    public void entriesChanged(String... directories) {
        try {
            invalidator.execute(() -> List.of(directories).forEach(this::invalidateGone));
        } catch (RejectedExecutionException e) {
            // The mount is closed.
        }
    }

    private void invalidateGone(String directory) {
        for (Nodes.Node child : nodes.children(directory)) {
            if (!isAsKnown(child)) {
                device.invalidate(child.parent(), child.name());
            }
        }
    }

    private boolean isAsKnown(Nodes.Node node) {
        try {
            return tree.stat(node.path()).generation() == node.generation();
        } catch (IOException gone) {
            return false;
        }
    }

    /**
     * Waits until the kernel has processed all reported changes of entries.
     *
     * @throws IOException if that takes longer than ten seconds
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public void awaitEntries() throws IOException, InterruptedException {
        try {
            invalidator.submit(() -> {}).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (RejectedExecutionException e) {
            // The mount is closed.
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the kernel does not accept the changes of entries under " + point, e);
        }
    }

    /** Unmounts the tree. From then on programs in the mount get errors. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            endInvalidating();
            unmount();
        } finally {
            server.close();
        }
    }

    /**
     * Ends the invalidation while requests are still answered. The kernel invalidates a name only when no program waits for an
     * answer in its directory. Until then it releases neither the connection nor a waiting program.
     */
    private void endInvalidating() {
        invalidator.shutdownNow();
        try {
            invalidator.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            // The caller sees the interrupt afterwards.
            Thread.currentThread().interrupt();
        }
    }

    private void unmount() {
        int inside = LinuxCalls.open(point.toString(), LinuxCalls.O_PATH | LinuxCalls.O_CLOEXEC);
        try {
            if (MountTable.read().stream()
                    .anyMatch(mount -> mount.point().equals(point.toString())
                            && mount.source().equals(owner.source()))) {
                mounting.unmount(point);
            }
        } catch (IOException e) {
            // Programs that read the directory get errors; the next start tries again.
        }
        threads.stop();
        device.disconnect();
        wake(inside);
        if (threads.await(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS))) {
            device.close();
        }
    }

    /**
     * Wakes the threads that wait for a request, with a request for each of them. These requests get no answer. When the last
     * thread has returned, the kernel ends all unanswered requests.
     */
    private void wake(int inside) {
        if (inside < 0) {
            return;
        }
        List<Thread> requests = new ArrayList<>();
        for (int i = threads.count(); i > 0; i--) {
            Thread request = daemon(() -> LinuxCalls.requestStatistics(inside), "wake");
            request.start();
            requests.add(request);
        }
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            for (Thread request : requests) {
                request.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            // The descriptor is closed at the end of the process.
            Thread.currentThread().interrupt();
            return;
        }
        LinuxCalls.close(inside);
    }
}
