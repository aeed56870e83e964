package dev.neurontest.fake;

import dev.neurontest.fake.internal.runtime.Event;
import dev.neurontest.fake.internal.script.AddedScript;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The scripted behavior of NEFFs with a given name in their header, when programs load or execute them. Changes apply from the next
 * execution on. If there are several scripts for a name, the later one wins. However, all of them print, in the order of their creation. A
 * NEFF without a script succeeds at once and writes zeros.
 *
 * <pre>{@code
 * host.runtime().neff("acc").latency(Duration.ofMillis(2)).print(FakePrint.of("acc", "float32", 4, 4).arange());
 * host.runtime().neff("acc").status(NrtStatus.NRT_EXEC_OOB).times(1);
 * }</pre>
 *
 * <p>Safe for use by several threads.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NeffScript {

    private static final long FOREVER = -1;
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    private final String neff;
    private final Consumer<NeffScript> onContent;
    private final Thread author = Thread.currentThread();
    // Guarded by this.
    private final Map<Object, Setting> settings = new LinkedHashMap<>();
    private long remainingExecutions = FOREVER;
    private long held;
    private boolean used;

    private record Setting(String text, Consumer<NeffBehaviour> consequence) {}

    /**
     * Creates an empty script.
     *
     * @param onContent called with the script whenever its content changes
     */
    NeffScript(String neff, Consumer<NeffScript> onContent) {
        this.neff = neff;
        this.onContent = onContent;
    }

    /**
     * Sets the duration of an execution. The default is that of {@link FakeNeff.Builder#time(Duration)}, or no time.
     *
     * @param time the duration for which the library waits; if it is longer than {@code NEURON_RT_EXEC_TIMEOUT}, the execution ends with
     *     {@link NrtStatus#NRT_TIMEOUT} instead
     * @return this
     * @throws IllegalArgumentException when it is negative, or more than 292 years
     */
    public NeffScript latency(Duration time) {
        if (time.isNegative() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("an execution cannot take " + time);
        }
        return set("latency", "latency=" + time.toNanos() + "ns", behaviour -> {
            behaviour.latency = time;
            behaviour.hangs = false;
        });
    }

    /**
     * Blocks an execution until its timeout: it ends with {@link NrtStatus#NRT_TIMEOUT} after {@code NEURON_RT_EXEC_TIMEOUT} seconds, by
     * default 30. Its prints still arrive.
     *
     * @return this
     */
    public NeffScript hangs() {
        return set("latency", "latency=hang", behaviour -> behaviour.hangs = true);
    }

    /**
     * Sets the status with which an execution ends. Outputs are written only with {@link NrtStatus#NRT_SUCCESS},
     * {@link NrtStatus#NRT_EXEC_COMPLETED_WITH_NUM_ERR} and {@link NrtStatus#NRT_EXEC_COMPLETED_WITH_ERR}.
     *
     * @param end the status that the call returns and the counters count
     * @return this
     */
    public NeffScript status(NrtStatus end) {
        return set("status", "status=" + end, behaviour -> behaviour.status = end);
    }

    /**
     * Ends an execution with a fault. The runtime prints the lines of the fault to standard error, the counters of the fault move, broken
     * hardware is logged in the kernel log, and the call returns the status of the fault. {@link #status(NrtStatus)} sets another
     * status; the vendor lists 5 and 1004 for hardware faults as well.
     *
     * @param fault the fault
     * @return this
     */
    public NeffScript fault(ExecutionFault fault) {
        return set("fault", "fault=" + fault, behaviour -> behaviour.fault = fault);
    }

    /**
     * Fails each load of the NEFF. {@link #times(int)} does not count loads.
     *
     * @param status the status that the call returns
     * @return this
     */
    public NeffScript failsToLoad(NrtStatus status) {
        return set("load", "load=" + status, behaviour -> behaviour.loadStatus = status);
    }

    /**
     * Prints a tensor during an execution, before it ends or hangs.
     *
     * @param print the print
     * @return this
     */
    public NeffScript print(FakePrint print) {
        synchronized (this) {
            held += print.held();
        }
        return set(new Object(), "print=\"" + print + "\"", behaviour -> behaviour.events.add(print::event));
    }

    /**
     * Adds an event with any content to an execution.
     *
     * @param type the type in its header; prints have 1. If the upper half is set, it is the status of the read that removes the event.
     * @param dataSize the size in its header, 64 bits unsigned
     * @param payload the data of the event, empty for a null pointer. Missing bytes up to the size are zero if the size is at most
     *     1 GiB; a reader that trusts the size then survives.
     * @return this
     */
    public NeffScript event(long type, long dataSize, byte[] payload) {
        Event event = new Event(type, dataSize, payload.clone(), 1, 0, new byte[0]);
        return set(
                new Object(),
                "event type " + type + " of " + Long.toUnsignedString(dataSize) + " bytes",
                behaviour -> behaviour.events.add(core -> event));
    }

    /**
     * Writes an output during an execution. Other outputs become zeros. If the NEFF does not have this output, or with another size, its
     * load ends with {@link NrtStatus#NRT_FAILURE}, and the log contains the reason. After the load, an execution ends so.
     *
     * @param tensor the name of the output
     * @param content the bytes
     * @return this
     * @throws IllegalArgumentException when the name is empty
     */
    public NeffScript output(String tensor, byte[] content) {
        return output(tensor, content.length + " bytes", NeffOutput.constant(content));
    }

    /**
     * Computes an output during an execution.
     *
     * @param tensor the name of the output
     * @param function a function from the bytes of all inputs, by name, to those of the output. It is called on a thread of the host. If it
     *     throws, the execution ends with {@link NrtStatus#NRT_FAILURE}.
     * @return this
     * @throws IllegalArgumentException when the name is empty
     */
    public NeffScript output(String tensor, Function<Map<String, byte[]>, byte[]> function) {
        return output(tensor, "computed", NeffOutput.computed(function));
    }

    /**
     * Fills an output during an execution, or copies an input to it. To fill it, the NEFF must declare its element type. If the NEFF does
     * not have such an output or input, its load ends with {@link NrtStatus#NRT_FAILURE}, and the log contains the reason. After the load,
     * an execution ends so.
     *
     * @param tensor the name of the output
     * @param fill {@code zeros}, {@code ones}, {@code arange} or {@code fill:2.5}, optionally followed by {@code @3=NaN},
     *     {@code hex:00ff}, or {@code copy:INPUT}. {@code unwritten} leaves the output as it is, and {@code first:448:arange} writes
     *     only the first 448 bytes.
     * @return this
     * @throws IllegalArgumentException when there is no such fill, or the name is empty
     */
    public NeffScript output(String tensor, String fill) {
        return output(tensor, fill, NeffOutput.parse(fill));
    }

    private NeffScript output(String tensor, String text, NeffOutput output) {
        if (tensor.isEmpty()) {
            throw new IllegalArgumentException("the name of an output must not be empty");
        }
        return set(
                "output " + tensor,
                "output=\"" + tensor + " " + text + "\"",
                behaviour -> behaviour.outputs.put(tensor, output));
    }

    private NeffScript set(Object key, String text, Consumer<NeffBehaviour> setting) {
        synchronized (this) {
            settings.remove(key);
            settings.put(key, new Setting(text, setting));
        }
        // Outside the lock of this object, because the runtime takes its own lock first.
        onContent.accept(this);
        return this;
    }

    /**
     * Limits the complete script to a number of executions.
     *
     * @param executions the number of next executions, of all processes together
     * @return this
     * @throws IllegalArgumentException when it is less than 1
     */
    public synchronized NeffScript times(int executions) {
        if (executions < 1) {
            throw new IllegalArgumentException("a script requires at least 1 execution, not " + executions);
        }
        remainingExecutions = executions;
        return this;
    }

    /**
     * Clears this script. It can be filled again.
     *
     * @return this
     */
    public synchronized NeffScript reset() {
        settings.clear();
        remainingExecutions = FOREVER;
        held = 0;
        return this;
    }

    String neff() {
        return neff;
    }

    /** Returns the script with its author. */
    synchronized AddedScript added() {
        return new AddedScript(this, author, toString(), used, this::reset);
    }

    /** Returns the memory that the prints take, in bytes. */
    synchronized long held() {
        return held;
    }

    synchronized boolean isEmpty() {
        return settings.isEmpty();
    }

    /** Applies the script to a behavior. An execution uses up one of a limited number. */
    synchronized void apply(NeffBehaviour behaviour, boolean execution) {
        settings.values().forEach(setting -> setting.consequence().accept(behaviour));
        used |= execution || settings.containsKey("load");
        if (execution && remainingExecutions > 0 && --remainingExecutions == 0) {
            reset();
        }
    }

    /** Returns the script nearly in the form of the command {@code neff}. */
    @Override
    public synchronized String toString() {
        String text = settings.values().stream()
                .map(Setting::text)
                .collect(Collectors.joining(" ", "neff " + neff + " ", ""));
        return remainingExecutions > 0 ? text + " times=" + remainingExecutions : text;
    }
}
