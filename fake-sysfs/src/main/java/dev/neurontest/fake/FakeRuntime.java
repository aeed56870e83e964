package dev.neurontest.fake;

import dev.neurontest.fake.internal.driver.instance.HardwareFamily;
import dev.neurontest.fake.internal.runtime.Exchange;
import dev.neurontest.fake.internal.runtime.LibraryFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The runtime library of a host: {@code opt/aws/neuron/lib/libnrt.so.1} in {@link FakeNeuronHost#directory()}, which programs link
 * or load as the genuine one. It takes cores, loads NEFFs and executes them as the scripts say, and what it does is in the host's
 * counters. A process that is killed loses its cores.
 *
 * <pre>{@code
 * host.runtime().neff("acc").print(FakePrint.of("acc", "float32", 4, 4).arange());
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeRuntime {

    private static final int MOST_EXECUTIONS = 10_000;
    private static final int AHEAD_OF_DRIVER = 4;
    private static final int FIRST_WITH_DEBUG_STREAM = 29;

    /** Those that are known; of the others the last two numbers are 0. */
    private static final List<String> VERSIONS =
            List.of("2.29.40.0", "2.30.50.0", "2.31.24.0", "2.32.31.0", "2.33.10.0", "2.34.10.0", "2.35.30.0");

    /** Bytes of one device, by the architecture of its driver. */
    private static final long[] DEVICE_MEMORY = {0, 8L << 30, 32L << 30, 96L << 30, 144L << 30};

    private final FakeNeuronHost host;
    // Guarded by this.
    private final List<NeffScript> scripts = new ArrayList<>();
    private final List<String> executions = new ArrayList<>();
    private @Nullable String played;
    private boolean strict;
    private @Nullable Path root;
    private @Nullable Exchange exchange;

    FakeRuntime(FakeNeuronHost host) {
        this.host = host;
    }

    /**
     * Why hosts have no library.
     *
     * @return the reason to skip a test, for its message: no Linux, or the build of this module found no gcc; empty when they have
     */
    public static Optional<String> unavailable() {
        return LibraryFile.unavailable();
    }

    /**
     * The version of the library. It follows the host's driver, and is not older than the debug stream, until a test
     * {@linkplain #release(String) says} another.
     *
     * @return four numbers such as {@code 2.31.24.0}
     */
    public synchronized String version() {
        if (played != null) {
            return played;
        }
        String release = "2." + Math.max(host.driverMinor() + AHEAD_OF_DRIVER, FIRST_WITH_DEBUG_STREAM) + '.';
        return VERSIONS.stream()
                .filter(each -> each.startsWith(release))
                .findFirst()
                .orElse(release + "0.0");
    }

    /**
     * Replaces the library by one of another release, which has the calls of that release. A process that has loaded the other keeps
     * it.
     *
     * @param version four numbers such as {@code 2.31.24.0}, from {@code 2.28.0.0} on, which has no debug stream
     * @return this
     * @throws IllegalArgumentException when it is no such version
     * @throws UncheckedIOException when its file cannot be written
     */
    public synchronized FakeRuntime release(String version) {
        LibraryFile.release(version);
        played = version;
        if (root != null) {
            try {
                LibraryFile.install(root, version);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot replace the runtime library of " + host + ": " + e, e);
            }
        }
        return this;
    }

    /**
     * Ends every program that calls {@code nrt_init} from now on where it breaks a contract of the headers that the genuine library
     * does not check, with {@code SIGABRT} and its stack on standard error: a pointer that was freed, a tensor that is freed before
     * its set, {@code nrt_close} before models are unloaded and streams closed, two readers of one stream, and the like. The
     * variable {@code NEURON_FAKE_STRICT=1} does the same for one program, and from its first call on.
     *
     * @return this
     */
    public synchronized FakeRuntime strict() {
        strict = true;
        return this;
    }

    synchronized boolean isStrict() {
        return strict;
    }

    /** How many bytes of memory all prints of scripts take. */
    synchronized long held() {
        return scripts.stream().mapToLong(NeffScript::held).sum();
    }

    /** From now on the library is a file there. */
    synchronized void install(Path directory) throws IOException {
        exchange = Exchange.open(directory);
        LibraryFile.install(directory, version());
        root = directory;
    }

    synchronized void uninstall() {
        root = null;
    }

    /**
     * A new script for NEFFs of a name.
     *
     * @param name the name in their header
     * @return a script that says nothing yet
     */
    public NeffScript neff(String name) {
        return new NeffScript(name, this::keep);
    }

    private synchronized void keep(NeffScript script) {
        if (!scripts.contains(script)) {
            scripts.add(script);
        }
    }

    /**
     * What is scripted.
     *
     * @return in the order in which it was made
     */
    public synchronized List<String> scripts() {
        return scripts.stream()
                .filter(script -> !script.isEmpty())
                .map(NeffScript::toString)
                .toList();
    }

    /**
     * Ends all scripts.
     *
     * @return this
     */
    public synchronized FakeRuntime reset() {
        scripts.forEach(NeffScript::reset);
        scripts.clear();
        return this;
    }

    /**
     * Ends all scripts for NEFFs of a name.
     *
     * @param name the name in their header
     * @return this
     */
    public synchronized FakeRuntime reset(String name) {
        scripts.stream().filter(script -> script.neff().equals(name)).forEach(NeffScript::reset);
        return this;
    }

    /**
     * The executions that have come to an end, whatever it was. Of more than ten thousand the oldest are dropped.
     *
     * @return one line each, oldest first, such as {@code acc on neuron0/neuron_core0 by trainer (pid 1001): NRT_SUCCESS, 4 events}
     */
    public synchronized List<String> executions() {
        return List.copyOf(executions);
    }

    synchronized void executed(String line) {
        executions.add(line);
        if (executions.size() > MOST_EXECUTIONS) {
            executions.remove(0);
        }
    }

    /** What is scripted for NEFFs of a name; an execution uses up what was meant for some only. */
    synchronized NeffBehaviour behaviour(String name, boolean execution) {
        NeffBehaviour behaviour = new NeffBehaviour();
        scripts.stream()
                .filter(script -> script.neff().equals(name))
                .forEach(script -> script.apply(behaviour, execution));
        scripts.removeIf(NeffScript::isEmpty);
        return behaviour;
    }

    synchronized Exchange exchange() {
        if (exchange == null) {
            throw new IllegalStateException("the library speaks only to a host with a directory");
        }
        return exchange;
    }

    /** A process that has its cores begins to use the library, with logical cores of so many physical ones, 0 for what is usual. */
    RuntimeClient client(FakeProcess process, int logicalCoreSize) {
        return new RuntimeClient(host, process, size(logicalCoreSize));
    }

    /** Returns the answer for a program without cores: {@code cores N lnc N}, the physical cores and the size of a logical one. */
    String facts(int logicalCoreSize) {
        return "cores " + host.devices().size() * host.device(0).cores().size() + " lnc " + size(logicalCoreSize);
    }

    /** The EC2 name and the architecture of the cores. */
    String instance() {
        return host.instanceType() + " " + host.family().coreArchitecture();
    }

    private int size(int asked) {
        int usual = host.logicalCoreSize();
        return usual == 1 || asked == 0 ? usual : asked;
    }

    /** Bytes of device memory that one physical core has. */
    long coreMemory() {
        HardwareFamily family = host.family();
        return DEVICE_MEMORY[family.architecture()] / family.coresPerDevice();
    }
}
