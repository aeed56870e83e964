package dev.neurontest.fake;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * Something that goes wrong. A fault is inert until it is given to a core, a device or the host:
 *
 * <pre>{@code
 * try (FakeFault fault = device.fault(Fault.errno("stats/hardware/mem_ecc_uncorrected", Errno.EIO).afterReads(3))) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Files are named relative to that scope: {@code stats/status/success/total} on a core, {@code core_count} on a device,
 * {@code sys/module/neuron/version} on the host. A file that an invented layout has moved is also found by its path in
 * {@code driver-2.30}. Faults of a file's content and the counters that they move are seen in every
 * view; errors and delays only in the in-process view, because a plain file cannot have them.
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

    /** The reads that pass before it begins; empty when it begins at once. */
    OptionalInt readsBefore() {
        return readsBefore;
    }

    /**
     * The same fault, but it lets some reads pass before it begins: nothing happens until then. Counted are reads through the
     * in-process view: of the file that the fault names, of the counter's {@code total} for a rising counter, of every file of
     * the device for a device that is gone.
     *
     * @param reads how many reads are undisturbed; the next one meets the fault
     * @return another fault
     * @throws IllegalArgumentException when that is less than 0
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
     * A status counter of a core rises, as if a process that used the core had just let it go.
     *
     * @param counter a name under {@code stats/status}, as the host's layout spells it
     * @param by how much, at least 1
     * @return a fault for a core
     */
    public static Fault statusRises(String counter, long by) {
        return new Fault(counter + " rises by " + by, scope -> FaultEffect.statusRises(scope, counter, by));
    }

    /**
     * ECC errors are counted.
     *
     * @param counter {@code sram_uncorrected}, {@code mem_uncorrected}, {@code mem_repairable_uncorrected},
     *     {@code sram_corrected} or {@code mem_corrected}
     * @param by how many, at least 1
     * @return a fault for a device
     */
    public static Fault ecc(String counter, long by) {
        return new Fault(by + " ECC errors " + counter, scope -> FaultEffect.ecc(scope, counter, by));
    }

    /**
     * Raises what a fault of an execution raises, and logs it in the kernel log, without the execution: such as broken memory.
     *
     * @param fault the fault
     * @return a fault for a core
     */
    public static Fault of(ExecutionFault fault) {
        return new Fault(fault.toString(), scope -> FaultEffect.duringExecution(scope, fault));
    }

    /**
     * Prints a line in the kernel log. The line remains after the end of the fault.
     *
     * @param text one line, such as {@code neuron:ncdev: nd0 is in an invalid state}
     * @return a fault for the host
     */
    public static Fault kernelLog(String text) {
        return new Fault("kernel log", scope -> FaultEffect.kernelLog(scope, text));
    }

    /**
     * Reading or writing a file fails. In-process view only.
     *
     * @param file the file
     * @param errno the error
     * @return a fault for any scope
     */
    public static Fault errno(String file, Errno errno) {
        return new Fault(errno + " on " + file, scope -> FaultEffect.errno(scope, file, errno));
    }

    /**
     * A file has something in it that does not belong there.
     *
     * @param file the file
     * @param text all of its content
     * @return a fault for any scope
     */
    public static Fault garbage(String file, String text) {
        return new Fault("garbage in " + file, scope -> FaultEffect.content(scope, file, text));
    }

    /**
     * A file has nothing in it.
     *
     * @param file the file
     * @return a fault for any scope
     */
    public static Fault empty(String file) {
        return new Fault("nothing in " + file, scope -> FaultEffect.content(scope, file, ""));
    }

    /**
     * Another process writes to a file of a counter, which sets this one field to 0.
     *
     * @param counterFile {@code total}, {@code present} or {@code peak} of a counter
     * @return a fault for any scope
     */
    public static Fault cleared(String counterFile) {
        return new Fault(counterFile + " cleared", scope -> FaultEffect.cleared(scope, counterFile));
    }

    /**
     * A field of a counter goes below 0, as when a process clears it and what it had counted is freed afterwards: it shows 2^64 less
     * what it showed, or less one unit if it was 0.
     *
     * @param counterFile {@code total}, {@code present} or {@code peak} of a counter
     * @return a fault for any scope
     */
    public static Fault wrapped(String counterFile) {
        return new Fault(counterFile + " wrapped", scope -> FaultEffect.wrapped(scope, counterFile));
    }

    /**
     * A file shows from now on what it shows now.
     *
     * @param file the file
     * @return a fault for any scope
     */
    public static Fault stuck(String file) {
        return new Fault(file + " stuck", scope -> FaultEffect.stuck(scope, file));
    }

    /**
     * Reading or writing a file takes long. In-process view only.
     *
     * @param file the file
     * @param duration how long each read and write takes
     * @return a fault for any scope
     */
    public static Fault slow(String file, Duration duration) {
        return new Fault(file + " slow by " + duration, scope -> FaultEffect.slow(scope, file, duration));
    }

    /** Such as {@code EIO on core_count}. */
    @Override
    public String toString() {
        return description;
    }
}
