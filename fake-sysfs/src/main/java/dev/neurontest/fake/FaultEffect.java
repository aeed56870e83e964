package dev.neurontest.fake;

import dev.neurontest.fake.driver.Core;
import dev.neurontest.fake.driver.Counter;
import dev.neurontest.fake.driver.Device;
import dev.neurontest.fake.driver.EccRegister;
import dev.neurontest.fake.driver.Field;
import dev.neurontest.fake.driver.LiveCounter;
import dev.neurontest.fake.files.Errno;
import dev.neurontest.fake.files.FakeErrnoException;
import dev.neurontest.fake.tree.InProcessTree;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a fault does where it is: to the state when it begins, or to each reader of a file while it lasts. */
abstract class FaultEffect {

    private final String watched;

    /**
     * @param watched the file whose reads count, or the directory of the device whose reads count; relative to the root
     */
    FaultEffect(String watched) {
        this.watched = watched;
    }

    final String watched() {
        return watched;
    }

    /** Begins; changes the state if that is what the fault does. */
    void begin() {}

    /** Undoes {@link #begin()} as if it had not been. */
    void takeBack() {}

    /** Ends; what has been counted stays. */
    void end() {}

    /** Whether {@link #begin()} is all that happens. */
    boolean happensOnce() {
        return false;
    }

    /** What a reader gets while it lasts, null for the content. */
    byte @Nullable [] read(String path) throws IOException {
        return shown();
    }

    void write(String path) throws IOException {}

    /** What files show while it lasts, null for the content. */
    byte @Nullable [] shown() {
        return null;
    }

    // ---- the state

    private abstract static class OfState extends FaultEffect {

        OfState(String watched) {
            super(watched);
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
        return new OfState(total) {
            private long presentBefore;
            private long totalAfter;

            @Override
            void begin() {
                synchronized (counter.device()) {
                    presentBefore = counter.read(Field.PRESENT);
                    counter.raise(by);
                    totalAfter = counter.read(Field.TOTAL);
                }
            }

            @Override
            void takeBack() {
                synchronized (counter.device()) {
                    // A process that counted or cleared since then keeps what it wrote.
                    if (counter.read(Field.TOTAL) == totalAfter && counter.read(Field.PRESENT) == by) {
                        counter.shift(Field.PRESENT, presentBefore - by);
                    }
                    counter.shift(Field.TOTAL, -by);
                }
            }
        };
    }

    static FaultEffect ecc(FaultScope scope, String name, long by) {
        Device device = scope.device("a count of ECC errors");
        EccRegister register = EccRegister.named(name);
        String file = scope.path("stats/hardware/" + register.fileName());
        scope.tree().peek(file);
        device.requireEcc(register, by);
        return new OfState(file) {
            @Override
            void begin() {
                device.addEcc(register, by);
            }

            @Override
            void takeBack() {
                device.takeBackEcc(register, by);
            }
        };
    }

    /** Prints a line, which remains after {@link #takeBack()}. */
    static FaultEffect kernelLog(FaultScope scope, String text) {
        if (!scope.directory().isEmpty()) {
            throw new IllegalArgumentException("a line of the kernel log is a fault of the host, not of " + scope);
        }
        return new OfState("sys/module/neuron/version") {
            @Override
            void begin() {
                scope.host().printError(text);
            }
        };
    }

    static FaultEffect duringExecution(FaultScope scope, ExecutionFault fault) {
        Core state = scope.core("a hardware fault during an execution");
        FakeCore core = scope.host().core(state.toString());
        String counter = fault.status().counter().orElseThrow().name().toLowerCase(Locale.ROOT);
        FaultEffect status = statusRises(scope, counter, 1);
        EccRegister register = fault.ecc();
        FaultEffect ecc = register == null ? null : ecc(scope.host().scope(state.device()), register.fileName(), 1);
        return new OfState(status.watched()) {
            @Override
            void begin() {
                if (ecc != null) {
                    ecc.begin();
                }
                status.begin();
                fault.logFor(core);
            }

            @Override
            void takeBack() {
                if (ecc != null) {
                    ecc.takeBack();
                }
                status.takeBack();
            }
        };
    }

    static FaultEffect gone(FaultScope scope) {
        Device device = scope.device("being gone");
        return new OfState(scope.directory()) {
            @Override
            void begin() {
                device.loseToFault();
            }

            @Override
            void takeBack() {
                device.returnFromFault();
            }

            @Override
            void end() {
                device.returnFromFault();
            }
        };
    }

    static FaultEffect cleared(FaultScope scope, String file) {
        return new Shift(scope, file) {
            @Override
            long by(long value) {
                return -value;
            }
        };
    }

    static FaultEffect wrapped(FaultScope scope, String file) {
        long unit = unit(file);
        return new Shift(scope, file) {
            @Override
            long by(long value) {
                return value == 0 ? -unit : -2 * value;
            }
        };
    }

    /** The least by which a counter moves: a page of memory, one multiply-accumulate, one occurrence. */
    private static long unit(String counterFile) {
        if (counterFile.contains("memory_usage")) {
            return 4096;
        }
        return counterFile.contains("flop_count") ? 2 : 1;
    }

    /** Moves one field of a counter by an amount that depends on what it shows. */
    private abstract static class Shift extends OfState {

        private final InProcessTree.CounterFile file;
        private long moved;

        Shift(FaultScope scope, String file) {
            super(scope.path(file));
            this.file = scope.tree().counterFile(scope.path(file));
            if (this.file.counter() instanceof LiveCounter && this.file.field() == Field.PRESENT) {
                throw new IllegalArgumentException(file + " is computed at each read: it cannot be moved alone");
            }
        }

        abstract long by(long value);

        @Override
        void begin() {
            moved = by(file.counter().read(file.field()));
            file.counter().shift(file.field(), moved);
        }

        @Override
        void takeBack() {
            file.counter().shift(file.field(), -moved);
        }
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
