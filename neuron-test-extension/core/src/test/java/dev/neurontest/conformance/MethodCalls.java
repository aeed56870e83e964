package dev.neurontest.conformance;

import dev.neurontest.fake.FakeAccess;
import dev.neurontest.fake.FakeDescriptor;
import dev.neurontest.fake.FakeTree;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Access by the methods of a fake. */
record MethodCalls(FakeTree tree) implements Access {

    @Override
    public long size(String path) throws IOException {
        return tree.stat(path).size();
    }

    @Override
    public Open open(String path) throws IOException {
        return new Descriptor(tree.open(path, FakeAccess.READ));
    }

    @Override
    public int write(String path, byte[] content) throws IOException {
        return tree.write(path, content);
    }

    @Override
    public void create(String path) throws IOException {
        tree.write(path, new byte[] {'1'});
    }

    @Override
    public void map(String path) {
        throw new UnsupportedOperationException("there is nothing to map");
    }

    private static final class Descriptor implements Open {

        private final FakeDescriptor file;
        private final Semaphore signals = new Semaphore(0);

        Descriptor(FakeDescriptor file) {
            this.file = file;
            file.onSignal(signals::release);
        }

        @Override
        public String read() throws IOException {
            return new String(file.read(), StandardCharsets.UTF_8);
        }

        @Override
        public boolean polls(Duration atMost) throws IOException {
            try {
                long end = System.nanoTime() + atMost.toNanos();
                signals.drainPermits();
                while (!file.signalled()) {
                    if (!signals.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        return file.signalled();
                    }
                }
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw (IOException) new InterruptedIOException(file.path()).initCause(e);
            }
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
