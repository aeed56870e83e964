package dev.neurontest.runtime;

import com.sun.jna.Memory;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.runtime.library.FillCalls;
import dev.neurontest.internal.runtime.library.Libc;
import dev.neurontest.internal.runtime.library.NativeText;
import dev.neurontest.internal.runtime.library.TensorCalls;
import dev.neurontest.internal.runtime.watch.Handle;
import dev.neurontest.internal.runtime.watch.OpenResources;
import dev.neurontest.tensor.TensorBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * A block of device memory of a core. The garbage collector does not free it: close this tensor or its runtime. If an {@link Execution} uses
 * the tensor, the memory is freed when both are closed.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class DeviceTensor implements AutoCloseable {

    private static final int ON_DEVICE = 0;
    private static final long CHUNK = 4 << 20;

    private final NeuronRuntime runtime;
    private final NeuronCore core;
    private final String name;
    private final long bytes;
    private final Handle handle;
    private volatile boolean isWrittenByTest;

    private DeviceTensor(NeuronRuntime runtime, NeuronCore core, String name, long bytes, Handle handle) {
        this.runtime = runtime;
        this.core = core;
        this.name = name;
        this.bytes = bytes;
        this.handle = handle;
    }

    static DeviceTensor allocate(NeuronRuntime runtime, NeuronCore core, String name, long bytes, boolean owned) {
        int index = runtime.index(core);
        if (bytes < 0) {
            throw new IllegalArgumentException(
                    "the size of tensor %s must not be negative, but was %s bytes".formatted(name, bytes));
        }
        long[] address = new long[1];
        byte[] nativeName = Libc.text(name);
        return runtime.gate().inside(() -> {
            runtime.call(
                    "nrt_tensor_allocate",
                    "%s bytes for tensor %s".formatted(bytes, name),
                    core,
                    () -> TensorCalls.nrt_tensor_allocate(ON_DEVICE, index, bytes, nativeName, address));
            Handle handle = runtime.resources()
                    .add(
                            OpenResources.Kind.TENSOR,
                            core,
                            "tensor %s (%s bytes) on %s".formatted(name, bytes, core.name()),
                            address[0],
                            owned,
                            tensor -> runtime.call("nrt_tensor_free", name, core, () -> {
                                TensorCalls.nrt_tensor_free(new long[] {tensor});
                                return 0;
                            }));
            return new DeviceTensor(runtime, core, name, bytes, handle);
        });
    }

    /**
     * Returns the name of the tensor.
     *
     * @return the name given at allocation
     */
    public String name() {
        return name;
    }

    /**
     * Returns the core of the tensor.
     *
     * @return the core of the device memory
     */
    public NeuronCore core() {
        return core;
    }

    /**
     * Returns the size of the tensor.
     *
     * @return size in bytes
     */
    public long bytes() {
        return bytes;
    }

    /**
     * Writes the whole tensor.
     *
     * @param values a {@code byte[]}, {@code short[]}, {@code int[]}, {@code long[]}, {@code float[]}, {@code double[]},
     *     {@link ByteBuffer} (from position to limit), {@link dev.neurontest.tensor.TensorView} or {@link TensorBytes}, of the tensor's
     *     size
     * @return this
     * @throws IllegalArgumentException when the values have another size or an unsupported type
     * @throws IllegalStateException when the tensor or the runtime is closed
     * @throws NrtException when the runtime returns an error
     */
    public DeviceTensor write(Object values) {
        TensorBytes content = HostValues.bytes(values);
        if (content.size() != bytes) {
            throw new IllegalArgumentException(
                    "tensor %s has %s bytes, but the values have %s".formatted(name, bytes, content.size()));
        }
        return write(0, content);
    }

    /**
     * Writes a part of the tensor.
     *
     * @param offset start of the part, in bytes
     * @param values as for {@link #write(Object)}
     * @return this
     * @throws IllegalArgumentException when the values have an unsupported type
     * @throws IndexOutOfBoundsException when the part is not inside the tensor
     * @throws IllegalStateException when the tensor or the runtime is closed
     * @throws NrtException when the runtime returns an error
     */
    public DeviceTensor write(long offset, Object values) {
        TensorBytes content = HostValues.bytes(values);
        Objects.checkFromIndexSize(offset, content.size(), bytes);
        isWrittenByTest = true;
        return runtime.gate().inside(() -> {
            long address = handle.hold();
            try (Upload upload = new Upload(address, offset, content.size())) {
                content.copyTo(upload);
                return this;
            } catch (IOException unreadable) {
                throw new UncheckedIOException(
                        "The values for tensor %s cannot be read (%s)".formatted(name, unreadable), unreadable);
            } finally {
                handle.release();
            }
        });
    }

    /** Returns whether a test wrote values to this tensor. */
    boolean isWrittenByTest() {
        return isWrittenByTest;
    }

    /** Fills the whole tensor with one byte. A runtime without a function for it gets the bytes written. */
    void fill(byte value) {
        if (bytes == 0) {
            return;
        }
        runtime.gate().inside(() -> {
            long address = handle.hold();
            try {
                if (runtime.library().bind(FillCalls.class, FillCalls.SYMBOLS)) {
                    runtime.call(
                            "nrt_tensor_memset",
                            describePart(0, bytes),
                            core,
                            () -> FillCalls.nrt_tensor_memset(address, 0, Byte.toUnsignedInt(value), bytes));
                } else {
                    upload(address, value);
                }
                return this;
            } finally {
                handle.release();
            }
        });
    }

    private void upload(long address, byte value) {
        byte[] part = new byte[(int) Math.max(1, Math.min(CHUNK, bytes))];
        Arrays.fill(part, value);
        try (Upload upload = new Upload(address, 0, bytes)) {
            for (long done = 0; done < bytes; done += part.length) {
                upload.write(part, 0, (int) Math.min(part.length, bytes - done));
            }
        }
    }

    /** Output stream to the device, buffered in native memory. */
    private final class Upload extends OutputStream {

        private final long address;
        private final Memory chunk;
        private long position;
        private int filled;

        private Upload(long address, long offset, long length) {
            this.address = address;
            this.position = offset;
            this.chunk = new Memory(Math.max(1, Math.min(CHUNK, length)));
        }

        @Override
        public void write(int value) {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] content, int from, int length) {
            int done = 0;
            while (done < length) {
                int part = (int) Math.min(length - done, chunk.size() - filled);
                chunk.write(filled, content, from + done, part);
                filled += part;
                done += part;
                if (filled == chunk.size()) {
                    flush();
                }
            }
        }

        @Override
        public void flush() {
            if (filled > 0) {
                long buffer = NativeText.address(chunk);
                int length = filled;
                filled = 0;
                runtime.call(
                        "nrt_tensor_write",
                        describePart(position, length),
                        core,
                        () -> TensorCalls.nrt_tensor_write(address, buffer, position, length));
                position += length;
            }
        }

        @Override
        public void close() {
            try {
                flush();
            } finally {
                chunk.close();
            }
        }
    }

    private String describePart(long offset, long length) {
        return length == bytes ? "tensor " + name : "%s bytes at %s of tensor %s".formatted(length, offset, name);
    }

    /**
     * Reads the whole tensor.
     *
     * @return a copy
     * @throws IllegalStateException when the tensor or the runtime is closed, or the tensor is larger than the maximum size of an array
     * @throws NrtException when the runtime returns an error
     */
    public byte[] read() {
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException(
                    "Tensor %s has %s bytes, more than an array holds. Read it in parts with read(offset, length)."
                            .formatted(name, bytes));
        }
        return read(0, (int) bytes);
    }

    /**
     * Reads a part of the tensor.
     *
     * @param offset start of the part, in bytes
     * @param length size of the part, in bytes
     * @return a copy
     * @throws IndexOutOfBoundsException when the part is not inside the tensor
     * @throws IllegalStateException when the tensor or the runtime is closed
     * @throws NrtException when the runtime returns an error
     */
    public byte[] read(long offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes);
        byte[] content = new byte[length];
        return runtime.gate().inside(() -> {
            long address = handle.hold();
            try (Memory chunk = new Memory(Math.max(1, Math.min(CHUNK, length)))) {
                download(address, offset, content, chunk);
                return content;
            } finally {
                handle.release();
            }
        });
    }

    private void download(long address, long offset, byte[] content, Memory chunk) {
        long buffer = NativeText.address(chunk);
        for (int done = 0; done < content.length; ) {
            long from = offset + done;
            int part = (int) Math.min(content.length - done, chunk.size());
            runtime.call(
                    "nrt_tensor_read",
                    describePart(from, part),
                    core,
                    () -> TensorCalls.nrt_tensor_read(address, buffer, from, part));
            chunk.read(0, content, done, part);
            done += part;
        }
    }

    /** Returns the native address. The caller must call {@link #release()} after use. */
    long hold() {
        return handle.hold();
    }

    void release() {
        handle.release();
    }

    NeuronRuntime runtime() {
        return runtime;
    }

    /** Frees the device memory after its last use has ended. Has no effect if the tensor or the runtime is already closed. */
    @Override
    public void close() {
        runtime.close(handle);
    }

    /**
     * Returns a description for messages.
     *
     * @return name, size and core
     */
    @Override
    public String toString() {
        return handle.what();
    }
}
