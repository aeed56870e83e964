package dev.neurontest.fake;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.neff.NeffModel;
import dev.neurontest.fake.internal.neff.NeffTensor;
import dev.neurontest.fake.internal.profiler.call.Work;
import dev.neurontest.fake.internal.runtime.Element;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A file that has the header of a NEFF and a compressed archive behind it, as far as both are known from genuine files. The
 * stand-in profilers take it for a model; hardware would not.
 *
 * <pre>{@code
 * Path neff = FakeNeff.builder().input("x", 4096).time(Duration.ofMillis(17)).write(folder.resolve("resnet50.neff"));
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeNeff {

    private FakeNeff() {}

    /**
     * Describes a model.
     *
     * @return a builder for a model that declares no tensors, of a new UUID that does not begin with a zero byte
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Describes a model. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private static final int NANO = 1000;

        private @Nullable String name;
        private UUID uuid = traceable();
        private int logicalCoreSize = 1;
        private String work = Work.NAMES.get(0);
        private long picoseconds;
        private int workers = 1;
        private final Map<String, NeffTensor> inputs = new LinkedHashMap<>();
        private final Map<String, NeffTensor> outputs = new LinkedHashMap<>();

        private Builder() {}

        /** A trace keeps a UUID up to its first zero byte, so that nothing would be left of one that begins with it. */
        private static UUID traceable() {
            UUID random = UUID.randomUUID();
            return random.getMostSignificantBits() >>> 56 == 0 ? traceable() : random;
        }

        /**
         * Sets the name in the header, by which executions are scripted. Without it, the name of the file without {@code .neff}.
         *
         * @param name at most 255 bytes; the rest is cut
         * @return this
         */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /**
         * Sets the UUID, by which traces are told apart.
         *
         * @param uuid any
         * @return this
         */
        public Builder uuid(UUID uuid) {
            this.uuid = uuid;
            return this;
        }

        /**
         * Sets for which size of logical cores the model says that it was compiled. The profilers load it whatever they find, the
         * runtime library only where logical cores are of that size.
         *
         * @param logicalCoreSize 1 or 2
         * @return this
         * @throws IllegalArgumentException when it is neither
         */
        public Builder lnc(int logicalCoreSize) {
            if (logicalCoreSize != 1 && logicalCoreSize != 2) {
                throw new IllegalArgumentException("a logical core is 1 or 2 physical cores, not " + logicalCoreSize);
            }
            this.logicalCoreSize = logicalCoreSize;
            return this;
        }

        /**
         * Sets which measurements its metrics are made of.
         *
         * @param name {@code model} (a step of training with spills and collectives, the default), {@code vector} (a kernel without
         *     matrix multiplication, whose metrics are absent) or {@code transpose}
         * @return this
         * @throws IllegalArgumentException when there are none of that name
         */
        public Builder profile(String name) {
            if (!Work.NAMES.contains(name)) {
                throw new IllegalArgumentException("no measurements \"" + name + "\"; there are: " + Work.NAMES);
            }
            this.work = name;
            return this;
        }

        /**
         * Sets how long an execution takes; counts, bytes and operations follow. Without it, as long as in the measurements.
         *
         * @param totalTime more than zero
         * @return this
         * @throws IllegalArgumentException when it is not
         */
        public Builder time(Duration totalTime) {
            if (totalTime.isNegative() || totalTime.isZero()) {
                throw new IllegalArgumentException("an execution cannot take " + totalTime);
            }
            this.picoseconds = Math.multiplyExact(totalTime.toNanos(), NANO);
            return this;
        }

        /**
         * Adds an input. Other names and sizes are refused.
         *
         * @param input its name
         * @param bytes its size
         * @return this
         */
        public Builder input(String input, long bytes) {
            inputs.put(input, NeffTensor.ofBytes(bytes));
            return this;
        }

        /**
         * Adds an input with elements. Other names and sizes are refused.
         *
         * @param input its name
         * @param dtype the name of its element type as device prints have it, such as {@code bfloat16}
         * @param shape its dimensions, at most 8; none for a single element
         * @return this
         * @throws IllegalArgumentException when there is no such element type or shape
         */
        public Builder input(String input, String dtype, long... shape) {
            inputs.put(input, tensor(dtype, shape));
            return this;
        }

        /**
         * Adds an output. Without any, the profilers find {@code output0} of 64 bytes and the runtime library none.
         *
         * @param output its name
         * @param bytes its size
         * @return this
         */
        public Builder output(String output, long bytes) {
            outputs.put(output, NeffTensor.ofBytes(bytes));
            return this;
        }

        /**
         * Adds an output with elements.
         *
         * @param output its name
         * @param dtype the name of its element type as device prints have it, such as {@code bfloat16}
         * @param shape its dimensions, at most 8; none for a single element
         * @return this
         * @throws IllegalArgumentException when there is no such element type or shape
         */
        public Builder output(String output, String dtype, long... shape) {
            outputs.put(output, tensor(dtype, shape));
            return this;
        }

        private static NeffTensor tensor(String dtype, long... shape) {
            long bytes = Element.named(dtype).bytes(Element.units(shape));
            return new NeffTensor(bytes, dtype, LongStream.of(shape).boxed().toList());
        }

        /**
         * Lets it have collectives.
         *
         * @param count of workers without which it does not load
         * @return this
         * @throws IllegalArgumentException when it is less than 1
         */
        public Builder workers(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("a model cannot have " + count + " workers");
            }
            this.workers = count;
            return this;
        }

        /**
         * Writes the file.
         *
         * @param file what is there is replaced
         * @return the file
         * @throws IOException when it cannot be written
         */
        public Path write(Path file) throws IOException {
            byte[] identity = ByteBuffer.allocate(16)
                    .putLong(uuid.getMostSignificantBits())
                    .putLong(uuid.getLeastSignificantBits())
                    .array();
            NeffModel model = new NeffModel(work, picoseconds, workers, inputs, outputs);
            return Files.write(file, Neff.toBytes(name == null ? named(file) : name, identity, logicalCoreSize, model));
        }

        private static String named(Path file) {
            return file.toAbsolutePath().getFileName().toString().replaceFirst("\\.neff$", "");
        }
    }
}
