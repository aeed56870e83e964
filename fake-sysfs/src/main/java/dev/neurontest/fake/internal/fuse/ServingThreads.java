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
 * Read requests and answer them. The thread that has read one answers it: a request that is handed over costs the change from one
 * thread to another, which is most of what an answer costs. Only before an answer that takes long another thread reads on.
 */
final class ServingThreads {

    /** Each of them may be in a slow file; were it fewer than the programs that are, all others would wait for these. */
    private static final int MOST = 512;

    /**
     * On a machine that has nothing else to do, waking a processor costs more than an answer does. When two read by turns, one is
     * often awake still as the next request comes: a program reads all files in two fifths of the time that it takes with one
     * (measured on two processors; with three it takes half as long again).
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

    /** Returns whether another one reads from now on. */
    private boolean addReader() {
        try {
            threads.execute(new Reader());
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // No memory or no thread for one more: who waits is served by those that there are.
            return false;
        }
    }

    int count() {
        return readers.size();
    }

    /** Ends reading: no thread begins an answer from now on, and one in a slow file is told to leave it. */
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
                // The caller sees it afterwards.
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
        // Of its thread alone.
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

        /** Whether the kernel may have more, although it had no request just now. */
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
                // The kernel tells again when the request to interrupt is still on its way to another thread.
                long meant = SessionMessages.takeInterrupted(request);
                if (readers.stream().anyMatch(reader -> reader.interrupt(each -> each == meant))) {
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
            if (reply.wanted()) {
                device.write(out, reply.end(header.unique()));
            }
        }

        private void begin(long request) {
            synchronized (lock) {
                answering = Thread.currentThread();
                unique = request;
                if (closed) {
                    // It was on its way to the file when all who were in one were told to leave.
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

        /** Interrupts the answer to one of these requests, and returns whether there is one. */
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
