package dev.neurontest.fake;

import dev.neurontest.fake.internal.driver.Core;
import dev.neurontest.fake.internal.driver.Counter;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.EccRegister;
import dev.neurontest.fake.internal.driver.Field;
import dev.neurontest.fake.internal.driver.LiveCounter;
import dev.neurontest.fake.internal.fuse.SlowAnswer;
import dev.neurontest.fake.internal.tree.InProcessTree;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The effect of a fault: a change of the state at its begin, or of each read of a file during the fault. */
abstract class FaultEffect {

    private final String watched;

    /**
     * Creates an effect.
     *
     * @param watched the file of the counted reads, relative to the root
     */
    FaultEffect(String watched) {
        this.watched = watched;
    }

    final String watched() {
        return watched;
    }

    /** Begins the effect. An effect on the state changes the state here. */
    void begin() {}

    /** Returns whether {@link #begin()} is the complete effect. */
    boolean happensOnce() {
        return false;
    }

    /** Returns the bytes that a reader receives during the fault, null for the real content. */
    byte @Nullable [] read(String path) throws IOException {
        return shown();
    }

    void write(String path) throws IOException {}

    /** Returns the bytes that files show during the fault, null for the real content. */
    byte @Nullable [] shown() {
        return null;
    }

    // ---- the state

    /** A change of the state. */
    private static class OfState extends FaultEffect {

        private final Runnable change;

        OfState(String watched, Runnable change) {
            super(watched);
            this.change = change;
        }

        @Override
        void begin() {
            change.run();
        }

        @Override
        boolean happensOnce() {
            return true;
        }
    }

    static FaultEffect statusRises(FaultScope scope, String name, long by) {
        Core core = scope.core("a rising status counter");
        String total = scope.path("stats/status/" + name + "/total");
        Counter counter = scope.tree().counterFile(total).counter();
        if (by <= 0) {
            throw new IllegalArgumentException(name + " of " + core + " can only rise by 1 or more, not by " + by);
        }
        return new OfState(total, () -> counter.raise(by));
    }

    static FaultEffect ecc(FaultScope scope, String name, long by) {
        Device device = scope.device("a count of ECC errors");
        EccRegister register = EccRegister.named(name);
        String file = scope.path("stats/hardware/" + register.fileName());
        scope.tree().peek(file);
        device.requireEcc(register, by);
        return new OfState(file, () -> device.addEcc(register, by));
    }

    static FaultEffect kernelLog(FaultScope scope, String text) {
        if (!scope.directory().isEmpty()) {
            throw new IllegalArgumentException("a line of the kernel log is a fault of the host, not of " + scope);
        }
        return new OfState("sys/module/neuron/version", () -> scope.host().printError(text));
    }

    static FaultEffect duringExecution(FaultScope scope, ExecutionFault fault) {
        Core state = scope.core("a hardware fault during an execution");
        FakeCore core = scope.host().core(state.toString());
        String counter = fault.status().counter().orElseThrow().name().toLowerCase(Locale.ROOT);
        FaultEffect status = statusRises(scope, counter, 1);
        EccRegister register = fault.ecc();
        FaultEffect ecc = register == null ? null : ecc(scope.host().scope(state.device()), register.fileName(), 1);
        return new OfState(status.watched(), () -> {
            if (ecc != null) {
                ecc.begin();
            }
            status.begin();
            fault.logFor(core);
        });
    }

    static FaultEffect cleared(FaultScope scope, String file) {
        return shift(scope, file, value -> -value);
    }

    static FaultEffect wrapped(FaultScope scope, String file) {
        long unit = unit(file);
        return shift(scope, file, value -> value == 0 ? -unit : -2 * value);
    }

    /** Returns the smallest change of a counter: a page of memory, one multiply-accumulate (two operations), or one occurrence. */
    private static long unit(String counterFile) {
        if (counterFile.contains("memory_usage")) {
            return 4096;
        }
        return counterFile.contains("flop_count") ? 2 : 1;
    }

    /** Moves one field of a counter by an amount that depends on its value. */
    private static FaultEffect shift(FaultScope scope, String file, LongUnaryOperator amount) {
        InProcessTree.CounterFile moved = scope.tree().counterFile(scope.path(file));
        Counter counter = moved.counter();
        if (counter instanceof LiveCounter && moved.field() == Field.PRESENT) {
            throw new IllegalArgumentException(file + " is computed at each read and cannot be changed alone");
        }
        return new OfState(
                scope.path(file), () -> counter.shift(moved.field(), amount.applyAsLong(counter.read(moved.field()))));
    }

    // ---- the readers of a file

    static FaultEffect errno(FaultScope scope, String file, Errno errno) {
        return new OfFile(scope, file) {
            @Override
            byte @Nullable [] read(String path) throws IOException {
                throw FakeErrnoException.of(errno, path);
            }

            @Override
            void write(String path) throws IOException {
                throw FakeErrnoException.of(errno, path);
            }
        };
    }

    static FaultEffect content(FaultScope scope, String file, String text) {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        return new OfFile(scope, file) {
            @Override
            byte[] shown() {
                return content.clone();
            }
        };
    }

    static FaultEffect stuck(FaultScope scope, String file) {
        return new OfFile(scope, file) {
            private byte[] content = {};

            @Override
            void begin() {
                content = scope.tree().peek(watched());
            }

            @Override
            byte[] shown() {
                return content.clone();
            }
        };
    }

    static FaultEffect slow(FaultScope scope, String file, Duration duration) {
        return new OfFile(scope, file) {
            @Override
            byte @Nullable [] read(String path) throws IOException {
                write(path);
                return null;
            }

            @Override
            void write(String path) throws IOException {
                SlowAnswer.begin();
                try {
                    Thread.sleep(duration.toMillis());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw (IOException)
                            new InterruptedIOException(path + ": interrupted while the file was slow").initCause(e);
                }
            }
        };
    }

    private abstract static class OfFile extends FaultEffect {

        OfFile(FaultScope scope, String file) {
            super(scope.path(file));
            scope.tree().peek(watched());
        }
    }
}
