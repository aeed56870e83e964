package dev.neurontest.fake;

import dev.neurontest.fake.internal.runtime.Event;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * What happens when programs load or execute the NEFF of a name: the name in its header. Changes count from the next execution on.
 * Of several scripts for one name the later wins, but that all print, in the order in which they were made; a NEFF without a script
 * succeeds at once and writes zeros.
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

    private final String neff;
    private final Consumer<NeffScript> onContent;
    // Guarded by this.
    private final Map<Object, Setting> settings = new LinkedHashMap<>();
    private long left = FOREVER;
    private long held;

    private record Setting(String text, Consumer<NeffBehaviour> consequence) {}

    /** @param onContent is told of the script whenever it says something */
    NeffScript(String neff, Consumer<NeffScript> onContent) {
        this.neff = neff;
        this.onContent = onContent;
    }

    /**
     * An execution takes so long. Without this as long as {@link FakeNeff.Builder#time(Duration)} says, or no time.
     *
     * @param time the library waits for it; when it is longer than {@code NEURON_RT_EXEC_TIMEOUT}, the execution ends with
     *     {@link NrtStatus#NRT_TIMEOUT} instead
     * @return this
     * @throws IllegalArgumentException when it is negative
     */
    public NeffScript latency(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("an execution cannot take " + time);
        }
        return set("latency", "latency=" + time.toNanos() + "ns", behaviour -> {
            behaviour.latency = time;
            behaviour.hangs = false;
        });
    }

    /**
     * An execution never ends by itself, but with {@link NrtStatus#NRT_TIMEOUT} after {@code NEURON_RT_EXEC_TIMEOUT} seconds, 30
     * when nothing is set. What it prints arrives all the same.
     *
     * @return this
     */
    public NeffScript hangs() {
        return set("latency", "latency=hang", behaviour -> behaviour.hangs = true);
    }

    /**
     * An execution ends with a status. Outputs are written with {@link NrtStatus#NRT_SUCCESS},
     * {@link NrtStatus#NRT_EXEC_COMPLETED_WITH_NUM_ERR} and {@link NrtStatus#NRT_EXEC_COMPLETED_WITH_ERR} only.
     *
     * @param end what the call returns and the counters count
     * @return this
     */
    public NeffScript status(NrtStatus end) {
        return set("status", "status=" + end, behaviour -> behaviour.status = end);
    }

    /**
     * Ends an execution with a fault: the runtime prints the lines of the fault to standard error, the counters of the fault move, broken
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
     * Loading fails. {@link #times(int)} does not count loads.
     *
     * @param status what the call returns
     * @return this
     */
    public NeffScript failsToLoad(NrtStatus status) {
        return set("load", "load=" + status, behaviour -> behaviour.loadStatus = status);
    }

    /**
     * An execution prints, before it ends or hangs.
     *
     * @param print what
     * @return this
     */
    public NeffScript print(FakePrint print) {
        synchronized (this) {
            held += print.held();
        }
        return set(new Object(), "print=\"" + print + "\"", behaviour -> behaviour.events.add(print::event));
    }

    /**
     * An execution makes an event that may be anything.
     *
     * @param type what its header says; prints have 1, and a status in the upper half is that of a read which takes the event away
     * @param dataSize the size that its header says, 64 bits without sign
     * @param payload what comes with it, nothing for a null pointer; what is missing to the size is zero as long as that is at most
     *     1 GiB, so that a reader who trusts it survives
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
     * An execution writes an output. Others become zeros.
     *
     * @param tensor its name
     * @param content its bytes; when it is of another size, the execution ends with {@link NrtStatus#NRT_FAILURE}
     * @return this
     */
    public NeffScript output(String tensor, byte[] content) {
        return output(tensor, content.length + " bytes", NeffOutput.constant(content));
    }

    /**
     * An execution computes an output.
     *
     * @param tensor its name
     * @param function gets the bytes of all inputs by name and gives those of the output; it is called on a thread of the host, and
     *     when it throws, the execution ends with {@link NrtStatus#NRT_FAILURE}
     * @return this
     */
    public NeffScript output(String tensor, Function<Map<String, byte[]>, byte[]> function) {
        return output(tensor, "computed", NeffOutput.computed(function));
    }

    /**
     * An execution fills an output of which the NEFF declares the element type, or copies an input.
     *
     * @param tensor its name
     * @param fill {@code zeros}, {@code ones}, {@code arange}, {@code fill:2.5}, {@code hex:00ff}, or {@code copy:INPUT}
     * @return this
     */
    public NeffScript output(String tensor, String fill) {
        return output(
                tensor,
                fill,
                fill.startsWith("copy:")
                        ? NeffOutput.copied(fill.substring("copy:".length()))
                        : NeffOutput.filled(tensor, fill));
    }

    private NeffScript output(String tensor, String text, NeffOutput output) {
        return set(
                "output " + tensor,
                "output=\"" + tensor + " " + text + "\"",
                behaviour -> behaviour.outputs.put(tensor, output));
    }

    private NeffScript set(Object what, String text, Consumer<NeffBehaviour> setting) {
        synchronized (this) {
            settings.remove(what);
            settings.put(what, new Setting(text, setting));
        }
        // Without the lock of this, since the runtime takes its own first.
        onContent.accept(this);
        return this;
    }

    /**
     * All of this script for some executions only.
     *
     * @param executions how many of the next, of all processes
     * @return this
     * @throws IllegalArgumentException when it is less than 1
     */
    public synchronized NeffScript times(int executions) {
        if (executions < 1) {
            throw new IllegalArgumentException("a script for " + executions + " executions would never be seen");
        }
        left = executions;
        return this;
    }

    /**
     * Ends this script; it can be filled again.
     *
     * @return this
     */
    public synchronized NeffScript reset() {
        settings.clear();
        left = FOREVER;
        held = 0;
        return this;
    }

    String neff() {
        return neff;
    }

    /** How many bytes of memory its prints take. */
    synchronized long held() {
        return held;
    }

    synchronized boolean isEmpty() {
        return settings.isEmpty();
    }

    /** Adds what it says, and is used up by one when an execution asks. */
    synchronized void apply(NeffBehaviour behaviour, boolean execution) {
        settings.values().forEach(setting -> setting.consequence().accept(behaviour));
        if (execution && left > 0 && --left == 0) {
            reset();
        }
    }

    /** Nearly as the command {@code neff} has it. */
    @Override
    public synchronized String toString() {
        String text = settings.values().stream()
                .map(Setting::text)
                .collect(Collectors.joining(" ", "neff " + neff + " ", ""));
        return left > 0 ? text + " times=" + left : text;
    }
}
