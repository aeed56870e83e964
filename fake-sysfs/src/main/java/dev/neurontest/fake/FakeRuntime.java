package dev.neurontest.fake;

import dev.neurontest.fake.internal.driver.instance.HardwareFamily;
import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.neff.NeffTensor;
import dev.neurontest.fake.internal.runtime.Exchange;
import dev.neurontest.fake.internal.runtime.LibraryFile;
import dev.neurontest.fake.internal.runtime.PythonModule;
import dev.neurontest.fake.internal.script.AddedScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The runtime library of a host: {@code opt/aws/neuron/lib/libnrt.so.1} in {@link FakeNeuronHost#directory()}, which programs link
 * or load like the genuine one. It takes cores, and loads and executes NEFFs according to the scripts. Its activity shows in the host's
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

    /** The known versions. For other releases the last two numbers are 0. */
    private static final List<String> VERSIONS =
            List.of("2.29.40.0", "2.30.50.0", "2.31.24.0", "2.32.31.0", "2.33.10.0", "2.34.10.0", "2.35.30.0");

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
     * Returns the reason why hosts have no library.
     *
     * @return the reason to skip a test, for its message: the system is not Linux, or this module was built without gcc or on another kind
     *     of machine; empty when hosts have a library
     */
    public static Optional<String> unavailable() {
        return LibraryFile.unavailable();
    }

    /**
     * Returns the version of the library. It follows the driver of the host, until a test sets another with {@link #release(String)}. It is
     * at least the first version with the debug stream. On Inf1, whose drivers end before that version, it is at least 2.28.
     *
     * @return four numbers such as {@code 2.31.24.0}
     */
    public synchronized String version() {
        if (played != null) {
            return played;
        }
        int oldest = host.family().drivers().before() == null ? FIRST_WITH_DEBUG_STREAM : LibraryFile.OLDEST;
        String release = "2." + Math.max(host.driverMinor() + AHEAD_OF_DRIVER, oldest) + '.';
        return VERSIONS.stream()
                .filter(each -> each.startsWith(release))
                .findFirst()
                .orElse(release + "0.0");
    }

    /**
     * Replaces the library with that of another release, which has the functions of that release. A process that has loaded the previous
     * library keeps it.
     *
     * @param version four numbers such as {@code 2.31.24.0}, at least {@code 2.28.0.0}, which has no debug stream
     * @return this
     * @throws IllegalArgumentException when it is not such a version
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
     * Enables strict checks for every program that calls {@code nrt_init} from now on. A program that breaks a contract of the headers is
     * then aborted with {@code SIGABRT}. The violation, the contract and the stack are printed on standard error. The genuine library does
     * not check these contracts. Examples are the use of a freed pointer, freeing a tensor before its set, and two threads that read one
     * stream; the page on the fake host lists all of them. The variable {@code NEURON_FAKE_STRICT=1} does the same for one program, from
     * its first call on.
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

    /** Returns the memory that all prints of scripts take, in bytes. */
    synchronized long held() {
        return scripts.stream().mapToLong(NeffScript::held).sum();
    }

    /** Installs the library as a file in a directory. */
    synchronized void install(Path directory) throws IOException {
        exchange = Exchange.open(directory);
        LibraryFile.install(directory, version());
        PythonModule.install(directory);
        root = directory;
    }

    synchronized void uninstall() {
        root = null;
    }

    /**
     * Creates a script for NEFFs with a given name.
     *
     * @param name the name in their header
     * @return an empty script
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
     * Returns the scripts that are not empty.
     *
     * @return the scripts, in the order in which they were created
     */
    public synchronized List<String> scripts() {
        return scripts.stream()
                .filter(script -> !script.isEmpty())
                .map(NeffScript::toString)
                .toList();
    }

    /** Returns the same scripts with their authors. */
    synchronized List<AddedScript> added() {
        List<AddedScript> added = new ArrayList<>();
        for (NeffScript script : scripts) {
            if (!script.isEmpty()) {
                added.add(script.added());
            }
        }
        return List.copyOf(added);
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
     * Ends all scripts for NEFFs with a given name.
     *
     * @param name the name in their header
     * @return this
     */
    public synchronized FakeRuntime reset(String name) {
        scripts.stream().filter(script -> script.neff().equals(name)).forEach(NeffScript::reset);
        return this;
    }

    /**
     * Returns the executions that have ended, with any status. After ten thousand executions the oldest are dropped.
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

    /** Returns the scripted behavior of NEFFs with a given name. An execution uses up scripts with a limited number of executions. */
    synchronized NeffBehaviour behaviour(String name, boolean execution) {
        NeffBehaviour behaviour = new NeffBehaviour();
        scripts.stream()
                .filter(script -> script.neff().equals(name))
                .forEach(script -> script.apply(behaviour, execution));
        scripts.removeIf(NeffScript::isEmpty);
        return behaviour;
    }

    /**
     * Returns the outputs of an execution by the profiler. Inputs that are not given are zeros.
     *
     * @param file the file with the NEFF, which is deleted
     * @param inputs the file with the inputs, which is deleted
     * @return the file with the outputs
     * @throws IOException when a file cannot be read or written
     * @throws IllegalArgumentException when a script fails
     */
    String outputs(String file, String inputs) throws IOException {
        Path path = exchange().given(file);
        try {
            Neff neff = Neff.read(path);
            Map<String, byte[]> all = exchange().takeTensors(inputs);
            NeffBehaviour behaviour = behaviour(neff.name(), true);
            Map<String, NeffTensor> declared = neff.model().inputs();
            if (declared != null && behaviour.outputs.values().stream().anyMatch(NeffOutput::needsInputs)) {
                declared.forEach(
                        (name, input) -> all.computeIfAbsent(name, zeros -> new byte[Math.toIntExact(input.bytes())]));
            }
            return exchange().giveTensors(behaviour.contents(neff, all), Set.of());
        } finally {
            Files.deleteIfExists(path);
        }
    }

    synchronized Exchange exchange() {
        if (exchange == null) {
            throw new IllegalStateException("the runtime library requires a host with a directory");
        }
        return exchange;
    }

    /**
     * Creates the client of a process that has its cores and begins to use the library.
     *
     * @param logicalCoreSize the number of physical cores in a logical core, 0 for the default
     */
    RuntimeClient client(FakeProcess process, int logicalCoreSize) {
        return new RuntimeClient(host, process, size(logicalCoreSize));
    }

    /**
     * Returns the answer for a program without cores: {@code cores N lnc N}, the number of physical cores and the size of a logical core.
     */
    String facts(int logicalCoreSize) {
        return "cores " + host.devices().size() * host.device(0).cores().size() + " lnc " + size(logicalCoreSize);
    }

    /** Returns the EC2 name and the architecture of the cores. */
    String instance() {
        return host.instanceType() + " " + host.family().coreArchitecture();
    }

    private int size(int requestedSize) {
        return host.family().logicalCoreSize(requestedSize);
    }

    /** Returns the device memory of a physical core, in bytes. */
    long coreMemory() {
        HardwareFamily family = host.family();
        return family.memory() / family.coresPerDevice();
    }
}
