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
 * A file with the header of a NEFF and a compressed archive behind it, as far as both are known from genuine files. The fake profilers
 * accept it as a model; hardware would not.
 *
 * <pre>{@code
 * Path neff = FakeNeff.builder().input("x", 4096).time(Duration.ofMillis(17)).write(folder.resolve("resnet50.neff"));
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeNeff {

    private FakeNeff() {}

    /**
     * Creates a builder of a model.
     *
     * @return a builder for a model without declared tensors. Its UUID is new and does not begin with a zero byte.
     */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder of a model file. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public static final class Builder {

        private static final int NANO = 1000;
        private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / NANO);

        private @Nullable String name;
        private UUID uuid = traceable();
        private int logicalCoreSize = 1;
        private String work = Work.NAMES.get(0);
        private long picoseconds;
        private int workers = 1;
        private final Map<String, NeffTensor> inputs = new LinkedHashMap<>();
        private final Map<String, NeffTensor> outputs = new LinkedHashMap<>();

        private Builder() {}

        /**
         * Creates a UUID that does not begin with a zero byte. A trace cuts the UUID at its first zero byte, which would leave an empty
         * UUID.
         */
        private static UUID traceable() {
            UUID random = UUID.randomUUID();
            return random.getMostSignificantBits() >>> 56 == 0 ? traceable() : random;
        }

        /**
         * Sets the name in the header, by which executions are scripted. The default is the name of the file without {@code .neff}.
         *
         * @param name the name; anything after 255 bytes is cut
         * @return this
         */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /**
         * Sets the UUID, which distinguishes traces.
         *
         * @param uuid any UUID
         * @return this
         */
        public Builder uuid(UUID uuid) {
            this.uuid = uuid;
            return this;
        }

        /**
         * Sets the declared size of the logical cores that the model was compiled for. The profilers load the model regardless of this
         * size. The runtime library loads it only if its logical cores have this size.
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
         * Sets the measurements from which the metrics of the model are made.
         *
         * @param name {@code model} (a step of training with spills and collectives, the default), {@code vector} (a kernel without
         *     matrix multiplication, without its metrics) or {@code transpose}
         * @return this
         * @throws IllegalArgumentException when there are no measurements with that name
         */
        public Builder profile(String name) {
            if (!Work.NAMES.contains(name)) {
                throw new IllegalArgumentException("no measurements \"" + name + "\"; there are: " + Work.NAMES);
            }
            this.work = name;
            return this;
        }

        /**
         * Sets the duration of an execution. Counts, bytes and operations follow it. The default is the duration in the measurements.
         *
         * @param totalTime the duration, more than zero
         * @return this
         * @throws IllegalArgumentException when it is not more than zero, or more than 106 days
         */
        public Builder time(Duration totalTime) {
            if (totalTime.isNegative() || totalTime.isZero() || totalTime.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException("an execution cannot take " + totalTime);
            }
            this.picoseconds = totalTime.toNanos() * NANO;
            return this;
        }

        /**
         * Adds an input. Inputs with other names or sizes are refused.
         *
         * @param input the name of the input
         * @param bytes the size in bytes
         * @return this
         */
        public Builder input(String input, long bytes) {
            inputs.put(input, NeffTensor.ofBytes(bytes));
            return this;
        }

        /**
         * Adds an input with elements. Inputs with other names or sizes are refused.
         *
         * @param input the name of the input
         * @param dtype the name of the element type as in device prints, such as {@code bfloat16}
         * @param shape the dimensions, at most 8; none for a single element
         * @return this
         * @throws IllegalArgumentException when there is no such element type or shape
         */
        public Builder input(String input, String dtype, long... shape) {
            inputs.put(input, tensor(dtype, shape));
            return this;
        }

        /**
         * Adds an output. Without any output, the profilers use {@code output0} of 64 bytes and the runtime library uses none.
         *
         * @param output the name of the output
         * @param bytes the size in bytes
         * @return this
         */
        public Builder output(String output, long bytes) {
            outputs.put(output, NeffTensor.ofBytes(bytes));
            return this;
        }

        /**
         * Adds an output with elements.
         *
         * @param output the name of the output
         * @param dtype the name of the element type as in device prints, such as {@code bfloat16}
         * @param shape the dimensions, at most 8; none for a single element
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
         * Sets the number of workers, which gives the model collectives.
         *
         * @param count the number of workers that the model requires to load
         * @return this
         * @throws IllegalArgumentException when it is less than 1
         */
        public Builder workers(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("a model requires at least 1 worker, not " + count);
            }
            this.workers = count;
            return this;
        }

        /**
         * Writes the file.
         *
         * @param file the path; an existing file is replaced
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
