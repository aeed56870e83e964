package dev.neurontest.conformance;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** Access by system calls, below a directory. */
record SystemCalls(Path root) implements Access {

    @Override
    public long size(String path) throws IOException {
        return Files.size(root.resolve(path));
    }

    @Override
    public Open open(String path) throws IOException {
        return new Descriptor(root.resolve(path));
    }

    @Override
    public int write(String path, byte[] content) throws IOException {
        try (FileChannel channel = FileChannel.open(root.resolve(path), StandardOpenOption.WRITE)) {
            return channel.write(ByteBuffer.wrap(content));
        }
    }

    @Override
    public void create(String path) throws IOException {
        Files.createFile(root.resolve(path));
    }

    @Override
    public void map(String path) throws IOException {
        try (FileChannel channel = FileChannel.open(root.resolve(path))) {
            channel.map(MapMode.READ_ONLY, 0, 1);
        }
    }

    /** A file descriptor by Linux calls, because Java has no {@code poll} for files. */
    private static final class Descriptor implements Open {

        private static final int O_CLOEXEC = 02000000;
        private static final int PAGE = 4096;
        private static final short POLLPRI = 0x0002;
        private static final short POLLERR = 0x0008;
        private static final int EINTR = 4;

        static {
            Native.register(Descriptor.class, "c");
        }

        private final Path file;
        private final int descriptor;

        Descriptor(Path file) throws IOException {
            this.file = file;
            descriptor = open(file.toString(), O_CLOEXEC);
            requireDone(descriptor);
        }

        private static native int open(String path, int flags);

        private static native NativeLong pread(int descriptor, Pointer buffer, NativeLong size, NativeLong offset);

        private static native int poll(Pointer descriptors, NativeLong count, int milliseconds);

        private static native int close(int descriptor);

        private void requireDone(long result) throws IOException {
            if (result < 0) {
                int errno = Native.getLastError();
                throw new IOException(file + ": " + strerror(errno));
            }
        }

        private static native String strerror(int errno);

        @Override
        public String read() throws IOException {
            try (Memory buffer = new Memory(PAGE)) {
                long length = pread(descriptor, buffer, new NativeLong(PAGE), new NativeLong(0))
                        .longValue();
                requireDone(length);
                return new String(buffer.getByteArray(0, (int) length), StandardCharsets.UTF_8);
            }
        }

        @Override
        public boolean polls(Duration atMost) throws IOException {
            long end = System.nanoTime() + atMost.toNanos();
            try (Memory polled = new Memory(8)) {
                polled.setInt(0, descriptor);
                polled.setShort(4, POLLPRI);
                while (true) {
                    polled.setShort(6, (short) 0);
                    long left = Math.max(0, end - System.nanoTime());
                    int ready = poll(polled, new NativeLong(1), (int)
                            Duration.ofNanos(left).toMillis());
                    if (ready < 0 && Native.getLastError() == EINTR) {
                        continue;
                    }
                    requireDone(ready);
                    return (polled.getShort(6) & (POLLPRI | POLLERR)) == (POLLPRI | POLLERR);
                }
            }
        }

        @Override
        public void close() throws IOException {
            requireDone(close(descriptor));
        }
    }
}
