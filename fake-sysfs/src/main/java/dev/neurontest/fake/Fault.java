package dev.neurontest.fake;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * A description of a fault. It has no effect until it is started on a core, a device or the host:
 *
 * <pre>{@code
 * try (FakeFault fault = device.fault(Fault.errno("stats/hardware/mem_ecc_uncorrected", Errno.EIO).afterReads(3))) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Paths of files are relative to that scope: {@code stats/status/success/total} on a core, {@code core_count} on a device,
 * {@code sys/module/neuron/version} on the host. A file that an invented layout has moved is also found by its path in {@code driver-2.30}.
 * Faults that change the content of a file or a counter are visible in every view. Errors and delays occur only in the in-process view,
 * because a plain file cannot have them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Fault {

    private final String description;
    private final Function<FaultScope, FaultEffect> effect;
    private final OptionalInt readsBefore;

    private Fault(String description, Function<FaultScope, FaultEffect> effect) {
        this(description, effect, OptionalInt.empty());
    }

    private Fault(String description, Function<FaultScope, FaultEffect> effect, OptionalInt readsBefore) {
        this.description = description;
        this.effect = effect;
        this.readsBefore = readsBefore;
    }

    /** Returns the number of reads that pass before the fault begins; empty if it begins at once. */
    OptionalInt readsBefore() {
        return readsBefore;
    }

    /**
     * Returns the same fault with a later begin: nothing happens until some reads have passed. Only reads through the in-process view
     * count. For most faults these are the reads of the named file. For a rising counter they are the reads of its {@code total}, and for a
     * removed device those of every file of the device.
     *
     * @param reads the number of undisturbed reads; the next one meets the fault
     * @return another fault
     * @throws IllegalArgumentException when it is less than 0
     */
    public Fault afterReads(int reads) {
        if (reads < 0) {
            throw new IllegalArgumentException("a fault cannot begin after " + reads + " reads");
        }
        return new Fault(description, effect, OptionalInt.of(reads));
    }

    FaultEffect on(FaultScope scope) {
        return effect.apply(scope);
    }

    /**
     * Creates a fault that increases a status counter of a core, as if a process had just released the core.
     *
     * @param counter a name under {@code stats/status}, as in the host's layout
     * @param by the amount, at least 1
     * @return a fault for a core
     */
    public static Fault statusRises(String counter, long by) {
        return new Fault(counter + " rises by " + by, scope -> FaultEffect.statusRises(scope, counter, by));
    }

    /**
     * Creates a fault that adds ECC errors to a counter.
     *
     * @param counter {@code sram_uncorrected}, {@code mem_uncorrected}, {@code mem_repairable_uncorrected},
     *     {@code sram_corrected} or {@code mem_corrected}
     * @param by the number of errors, at least 1
     * @return a fault for a device
     */
    public static Fault ecc(String counter, long by) {
        return new Fault(by + " ECC errors " + counter, scope -> FaultEffect.ecc(scope, counter, by));
    }

    /**
     * Creates a fault with the effect of an execution fault on counters and kernel log, without an execution. An example is broken
     * memory.
     *
     * @param fault the execution fault
     * @return a fault for a core
     */
    public static Fault of(ExecutionFault fault) {
        return new Fault(fault.toString(), scope -> FaultEffect.duringExecution(scope, fault));
    }

    /**
     * Creates a fault that prints a line in the kernel log. The line remains after the end of the fault.
     *
     * @param text one line, such as {@code neuron:ncdev: nd0 is in an invalid state}
     * @return a fault for the host
     */
    public static Fault kernelLog(String text) {
        return new Fault("kernel log", scope -> FaultEffect.kernelLog(scope, text));
    }

    /**
     * Creates a fault that makes each read or write of a file fail, in the in-process view only.
     *
     * @param file the file
     * @param errno the error
     * @return a fault for any scope
     */
    public static Fault errno(String file, Errno errno) {
        return new Fault(errno + " on " + file, scope -> FaultEffect.errno(scope, file, errno));
    }

    /**
     * Creates a fault that replaces the content of a file with unexpected text.
     *
     * @param file the file
     * @param text the complete content
     * @return a fault for any scope
     */
    public static Fault garbage(String file, String text) {
        return new Fault("garbage in " + file, scope -> FaultEffect.content(scope, file, text));
    }

    /**
     * Creates a fault that makes a file empty.
     *
     * @param file the file
     * @return a fault for any scope
     */
    public static Fault empty(String file) {
        return new Fault("nothing in " + file, scope -> FaultEffect.content(scope, file, ""));
    }

    /**
     * Creates a fault that clears one field of a counter, as if another process had written to its file.
     *
     * @param counterFile {@code total}, {@code present} or {@code peak} of a counter
     * @return a fault for any scope
     */
    public static Fault cleared(String counterFile) {
        return new Fault(counterFile + " cleared", scope -> FaultEffect.cleared(scope, counterFile));
    }

    /**
     * Creates a fault that moves a field of a counter below 0. This happens when a process clears a counter and previously counted
     * memory is freed afterwards. The field then shows 2^64 minus its former value, or minus one unit if it was 0.
     *
     * @param counterFile {@code total}, {@code present} or {@code peak} of a counter
     * @return a fault for any scope
     */
    public static Fault wrapped(String counterFile) {
        return new Fault(counterFile + " wrapped", scope -> FaultEffect.wrapped(scope, counterFile));
    }

    /**
     * Creates a fault that keeps the content of a file at the start of the fault.
     *
     * @param file the file
     * @return a fault for any scope
     */
    public static Fault stuck(String file) {
        return new Fault(file + " stuck", scope -> FaultEffect.stuck(scope, file));
    }

    /**
     * Creates a fault that delays each read and write of a file, in the in-process view only.
     *
     * @param file the file
     * @param duration the duration of each read and write
     * @return a fault for any scope
     */
    public static Fault slow(String file, Duration duration) {
        return new Fault(file + " slow by " + duration, scope -> FaultEffect.slow(scope, file, duration));
    }

    /** Returns text such as {@code EIO on core_count}. */
    @Override
    public String toString() {
        return description;
    }
}
