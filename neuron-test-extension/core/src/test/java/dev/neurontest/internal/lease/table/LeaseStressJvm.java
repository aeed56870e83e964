package dev.neurontest.internal.lease.table;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.PhysicalCore;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.DeadHolder;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseObserver;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.table.LeaseStressKind.Mode;
import dev.neurontest.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.StandardProtocolFamily;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One of the JVMs of {@link LeaseStress}. It leases until its input ends. */
public final class LeaseStressJvm {

    private static final Duration A_KILLED_OWNER_MAY_STAY = Patience.LIMIT;
    private static final Pattern OWNER = Pattern.compile("taken by j(\\d+)-");

    private final LeaseTable table;
    private final Path socket;
    private final String jvm;
    private final int thread;
    private final Random random;
    private final Duration longestWait;
    private volatile boolean over;
    private @Nullable Thread asking;

    private LeaseStressJvm(LeaseTable table, Path socket, String jvm, int thread, long seed, Duration longestWait) {
        this.table = table;
        this.socket = socket;
        this.jvm = jvm;
        this.thread = thread;
        this.random = new Random(seed);
        this.longestWait = longestWait;
    }

    /**
     * Starts with six arguments: the root of the host, the number of threads, a seed, the longest wait in seconds, the
     * number of this JVM, and a mode.
     */
    public static void main(String[] arguments) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Thread other = null;
        if (Mode.valueOf(arguments[5]) == Mode.LOADERS) {
            other = new Thread(() -> leaseInAnotherClassLoader(arguments, over));
            other.start();
        }
        Thread ending = new Thread(() -> {
            try {
                System.in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException closed) {
                // The interrupt ends it as well.
            }
            over.countDown();
        });
        ending.setDaemon(true);
        ending.start();
        leaseUntil(over, arguments);
        if (other != null) {
            other.join();
        }
    }

    private static void leaseInAnotherClassLoader(String[] arguments, CountDownLatch over) {
        List<URL> urls = new ArrayList<>();
        try {
            for (String entry : System.getProperty("java.class.path").split(":")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            try (URLClassLoader loader =
                    new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
                loader.loadClass(LeaseStressJvm.class.getName())
                        .getMethod("leaseUntil", CountDownLatch.class, String[].class)
                        .invoke(null, over, arguments);
            }
        } catch (IOException | ReflectiveOperationException failed) {
            say("failed " + failed);
        }
    }

    /** Leases until the latch is released. */
    public static void leaseUntil(CountDownLatch over, String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]);
        NeuronHost host = NeuronHost.discover(FileTree.at(root));
        Duration longestWait = Duration.ofSeconds(Long.parseLong(arguments[3]));
        try (LeaseTable table = open(host, root, longestWait, LeaseStressJvm::say)) {
            say("ready " + arguments[4]);
            Path socket = root.resolve("control.sock").toRealPath();
            List<LeaseStressJvm> loops = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
                LeaseStressJvm loop = new LeaseStressJvm(
                        table, socket, arguments[4], i, Long.parseLong(arguments[2]) + i, longestWait);
                loops.add(loop);
                threads.add(new Thread(loop::leaseUntilOver));
            }
            threads.forEach(Thread::start);
            if (Mode.valueOf(arguments[5]) == Mode.READERS) {
                Thread reader = new Thread(() -> readAll(LeaseStress.table(root)));
                reader.setDaemon(true);
                reader.start();
            }
            Random random = new Random(Long.parseLong(arguments[2]));
            boolean interrupts = Mode.valueOf(arguments[5]) == Mode.INTERRUPTS;
            while (!over.await(interrupts ? 1 + random.nextInt(20) : 1000, TimeUnit.MILLISECONDS)) {
                if (interrupts) {
                    loops.get(random.nextInt(loops.size())).interruptWait();
                }
            }
            loops.forEach(loop -> loop.over = true);
            for (Thread each : threads) {
                each.join();
            }
        }
    }

    /**
     * Opens and closes all files of the table, as a test that searches files may. Each close drops all locks of the
     * process on a file.
     */
    private static void readAll(Path table) {
        while (true) {
            try (Stream<Path> files = Files.walk(table)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.newInputStream(file).close();
                }
            } catch (IOException | UncheckedIOException gone) {
                // Other JVMs create and delete files concurrently.
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
        }
    }

    /** Interrupts the thread only while it waits for cores, because the rest does not concern leases. */
    private synchronized void interruptWait() {
        if (asking != null) {
            asking.interrupt();
        }
    }

    private synchronized void asking(@Nullable Thread now) {
        asking = now;
    }

    /** Opens the table that all JVMs share, and passes its notifications on as lines. */
    static LeaseTable open(NeuronHost host, Path root, Duration longestWait, Consumer<String> lines) {
        return LeaseTable.builder(host)
                .directory(LeaseStress.table(root))
                .observer(new LeaseObserver() {
                    @Override
                    public void holderDied(DeadHolder dead) {
                        // This JVM may have a faked clock.
                        lines.accept("dead " + dead.holder().replaceFirst("^JVM (\\d+) .*", "$1"));
                    }

                    @Override
                    public void warned(String notice) {
                        lines.accept("warned " + notice);
                    }
                })
                .open();
    }

    /** Prints one line and flushes it, because this JVM may be killed. */
    private static void say(String line) {
        synchronized (System.out) {
            System.out.println(line.replace('\n', ' '));
            System.out.flush();
        }
    }

    private void leaseUntilOver() {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            BufferedReader answers = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            Writer commands = Channels.newWriter(channel, StandardCharsets.UTF_8);
            while (!over) {
                lease(commands, answers);
            }
        } catch (IOException | InterruptedException | RuntimeException failed) {
            say("failed " + failed);
        }
    }

    private void lease(Writer commands, BufferedReader answers) throws IOException, InterruptedException {
        int count = 1 + random.nextInt(4);
        CoreRequest request = random.nextBoolean() ? CoreRequest.inARow(count) : CoreRequest.scattered(count);
        try (Lease lease = lease(request)) {
            if (lease == null) {
                return;
            }
            String name = "j" + jvm + "-" + thread;
            if (open(commands, answers, name, lease)) {
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(3000)));
                ask(commands, answers, "close " + name);
            }
            say("lease " + lease.waited().toNanos() / 1_000_000.0);
        }
    }

    /** Leases, or returns null if the thread was interrupted while it waited. */
    private @Nullable Lease lease(CoreRequest request) throws InterruptedException {
        asking(Thread.currentThread());
        try {
            return table.lease(
                    new LeaseRequest("JVM %s thread %s".formatted(jvm, thread), List.of(request)), longestWait);
        } catch (InterruptedException interrupted) {
            return null;
        } finally {
            asking(null);
            Thread.interrupted();
        }
    }

    /**
     * Opens the cores at the fake, which may notice a killed owner later than the table. The killing JVM decides
     * whether the owner was killed or is a second holder, because from here an ending process looks alive.
     */
    private boolean open(Writer commands, BufferedReader answers, String name, Lease lease) throws IOException {
        String cores = lease.cores().stream()
                .flatMap(core -> core.physicalCores().stream())
                .map(PhysicalCore::toString)
                .collect(Collectors.joining(" "));
        Set<String> refusals = new LinkedHashSet<>();
        long began = System.nanoTime();
        while (true) {
            String answer = ask(commands, answers, "open " + name + " " + cores);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            if (answer.startsWith("ok")) {
                refusals.forEach(refusal -> say("refused " + refusal + " until after " + millis + " ms"));
                return true;
            }
            Matcher owner = OWNER.matcher(answer);
            if (!owner.find() || millis > A_KILLED_OWNER_MAY_STAY.toMillis()) {
                say("double " + name + " after " + millis + " ms: " + answer);
                return false;
            }
            refusals.add(owner.group(1) + " " + name + ": " + answer);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private static String ask(Writer commands, BufferedReader answers, String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
        return String.valueOf(answers.readLine());
    }
}
