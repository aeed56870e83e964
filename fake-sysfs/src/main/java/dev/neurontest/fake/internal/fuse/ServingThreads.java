package dev.neurontest.fake.internal.fuse;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.internal.fuse.protocol.Opcode;
import dev.neurontest.fake.internal.fuse.protocol.Reply;
import dev.neurontest.fake.internal.fuse.protocol.RequestHeader;
import dev.neurontest.fake.internal.fuse.protocol.SessionMessages;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The threads that read and answer requests. The thread that has read a request also answers it. Passing it on would cost a thread
 * switch, which takes most of the time of an answer. Only before a slow answer another thread continues reading.
 */
final class ServingThreads {

    /**
     * Maximum number of threads. Each may wait in a slow file. With fewer threads than waiting programs, all other programs would
     * wait for these.
     */
    private static final int MOST = 512;

    /**
     * Number of reading threads. On an idle machine, waking a processor takes longer than an answer. With two alternating readers,
     * one is often still awake when the next request arrives. A program then reads all files in two fifths of the time with one
     * reader. Measured on two processors; with three readers it takes half as long again.
     */
    private static final int READERS = 2;

    private static final long IDLE_SECONDS = 10;

    private final FuseDevice device;
    private final TreeServer server;
    private final AtomicInteger named = new AtomicInteger();
    private final Set<Reader> readers = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(0, MOST, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread made = new Thread(task, "neuron-fake-fuse-" + named.incrementAndGet());
                made.setDaemon(true);
                return made;
            });
    private volatile boolean closed;

    ServingThreads(FuseDevice device, TreeServer server) {
        this.device = device;
        this.server = server;
    }

    void start() {
        for (int i = 0; i < READERS; i++) {
            addReader();
        }
    }

    /** Adds a reader, and returns whether that succeeded. */
    private boolean addReader() {
        try {
            threads.execute(new Reader());
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // There is no memory or thread for another reader. The existing readers serve the waiting programs.
            return false;
        }
    }

    int count() {
        return readers.size();
    }

    /** Stops reading. From then on no thread begins an answer, and threads in slow files are interrupted. */
    void stop() {
        close();
        readers.forEach(reader -> reader.interrupt(request -> true));
    }

    private void close() {
        closed = true;
        threads.shutdown();
    }

    /** Waits for all threads to end, and returns whether they have. */
    boolean await(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean interrupted = false;
        while (!threads.isTerminated() && System.nanoTime() < end) {
            try {
                threads.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                // The caller sees the interrupt afterwards.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return threads.isTerminated();
    }

    private final class Reader implements Runnable {

        private final FuseDevice.Buffer in = FuseDevice.Buffer.forRequests();
        private final FuseDevice.Buffer out = FuseDevice.Buffer.forAnswers();
        private final Reply reply = new Reply(out.bytes());
        private final Object lock = new Object();
        // Guarded by the lock.
        private @Nullable Thread answering;
        private long unique;
        // Used only by its own thread.
        private boolean reads = true;

        @Override
        public void run() {
            SlowAnswer.onThisThread(this::handOver);
            readers.add(this);
            try {
                while (reads && !closed) {
                    int length = device.read(in);
                    if (length >= RequestHeader.SIZE) {
                        answer(length);
                    } else if (!again(length)) {
                        close();
                    }
                }
            } finally {
                readers.remove(this);
            }
        }

        private void handOver() {
            reads = reads && !addReader();
        }

        /** Returns whether reading may continue after an error. */
        private static boolean again(int result) {
            int errno = -result;
            return errno == Errno.EINTR.number()
                    || errno == Errno.EAGAIN.number()
                    // The request was interrupted before it was read.
                    || errno == Errno.ENOENT.number();
        }

        private void answer(int length) {
            ByteBuffer request = in.bytes();
            request.clear().limit(length);
            RequestHeader header = RequestHeader.take(request);
            reply.begin();
            if (header.opcode() == Opcode.INTERRUPT.number()) {
                // If the request to interrupt has not reached its thread yet, the kernel sends the interrupt again.
                long interruptedId = SessionMessages.takeInterrupted(request);
                if (readers.stream().anyMatch(reader -> reader.interrupt(each -> each == interruptedId))) {
                    reply.none();
                } else {
                    reply.fail(Errno.EAGAIN.number());
                }
            } else {
                begin(header.unique());
                try {
                    server.answer(header, request, reply);
                } finally {
                    end();
                }
            }
            if (reply.isAwaited()) {
                device.write(out, reply.end(header.unique()));
            }
        }

        private void begin(long request) {
            synchronized (lock) {
                answering = Thread.currentThread();
                unique = request;
                if (closed) {
                    // Threads in slow files were already interrupted, but this answer had not started then.
                    answering.interrupt();
                }
            }
        }

        private void end() {
            synchronized (lock) {
                answering = null;
                Thread.interrupted();
            }
        }

        /** Interrupts the answer to a matching request, and returns whether there is one. */
        private boolean interrupt(LongPredicate requests) {
            synchronized (lock) {
                if (answering == null || !requests.test(unique)) {
                    return false;
                }
                answering.interrupt();
                return true;
            }
        }
    }
}
