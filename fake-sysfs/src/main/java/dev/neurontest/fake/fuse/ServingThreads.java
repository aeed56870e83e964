package dev.neurontest.fake.fuse;

import dev.neurontest.fake.files.Errno;
import dev.neurontest.fake.fuse.protocol.Opcode;
import dev.neurontest.fake.fuse.protocol.Reply;
import dev.neurontest.fake.fuse.protocol.RequestHeader;
import dev.neurontest.fake.fuse.protocol.SessionMessages;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Read requests and answer them. The thread that has read one answers it: a request that is handed over costs the change from one
 * thread to another, which is most of what an answer costs. When an answer takes long, another thread reads on, so that a slow
 * file does not hold up the others.
 */
final class ServingThreads {

    /** Each of them may be in a slow file; were it fewer than the programs that are, all others would wait for these. */
    private static final int MOST = 512;

    /** Those that wait until they are needed again: a thread is dear. */
    private static final int MOST_SPARE = 6;

    /**
     * On a machine that has nothing else to do, waking a processor costs more than an answer does. When two read by turns, one is
     * often awake still as the next request comes: a program reads all files in two fifths of the time that it takes with one
     * (measured on two processors; with three it takes half as long again).
     */
    private static final int READERS = 2;

    /** Seldom: a thread that wakes for a look takes a processor from another one. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** An answer that is under way takes long when it still is after this. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Without requests for so many looks, none follows until there is one. */
    private static final int QUIET_LOOKS = 10;

    private final FuseDevice device;
    private final TreeServer server;
    // Guarded by itself.
    private final List<Worker> workers = new ArrayList<>();
    // Guarded by the workers.
    private final Deque<Worker> spare = new ArrayDeque<>();
    private final List<Lane> lanes = Stream.generate(Lane::new).limit(READERS).toList();
    private final Thread watch = new Thread(this::watch, "neuron-fake-fuse-watch");
    private int named;
    private volatile boolean watching = true;
    private volatile boolean closed;

    ServingThreads(FuseDevice device, TreeServer server) {
        this.device = device;
        this.server = server;
    }

    void start() {
        lanes.forEach(lane -> replace(lane, null));
        watch.setDaemon(true);
        watch.start();
    }

    /** Lets another one read, if no other has been let in between. */
    private void replace(Lane lane, @Nullable Worker busy) {
        synchronized (workers) {
            if (closed || lane.reader != busy) {
                return;
            }
            Worker next = spare.pollLast();
            if (next != null) {
                lane.give(next);
                LockSupport.unpark(next);
            } else if (workers.size() < MOST) {
                hire(lane);
            }
        }
    }

    // Call with workers locked.
    private void hire(Lane lane) {
        Worker next;
        try {
            next = new Worker("neuron-fake-fuse-" + ++named);
            next.start();
        } catch (OutOfMemoryError e) {
            // No memory or no thread for one more: who waits is served by those that there are.
            return;
        }
        workers.add(next);
        lane.give(next);
    }

    /** Looks whether those that read are kept by an answer. */
    private void watch() {
        int quiet = 0;
        long pause = LOOK_NANOS;
        while (!closed) {
            LockSupport.parkNanos(this, pause);
            boolean moved = false;
            pause = LOOK_NANOS;
            for (Lane lane : lanes) {
                moved |= lane.look();
                if (lane.answers()) {
                    pause = LONG_NANOS;
                }
            }
            if (moved || pause == LONG_NANOS) {
                quiet = 0;
            } else if (++quiet == QUIET_LOOKS) {
                quiet = 0;
                watching = false;
                // A thread that begins an answer after this look sees that it is not watched.
                while (lanes.stream().noneMatch(Lane::hasMoved) && !watching && !closed) {
                    LockSupport.park(this);
                }
                watching = true;
            }
        }
    }

    int count() {
        synchronized (workers) {
            return workers.size();
        }
    }

    /** From now on no thread begins an answer; one in a slow file is told to leave it. */
    void stop() {
        synchronized (workers) {
            close();
            workers.forEach(Worker::leaveFile);
        }
    }

    private void close() {
        synchronized (workers) {
            closed = true;
            spare.forEach(LockSupport::unpark);
            LockSupport.unpark(watch);
        }
    }

    /** Whether all have ended. */
    boolean await(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean interrupted = false;
        synchronized (workers) {
            while (!workers.isEmpty()) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(workers, left);
                } catch (InterruptedException e) {
                    // The caller sees it afterwards.
                    interrupted = true;
                }
            }
        }
        // Without the lock, which it may want once more.
        interrupted |= !ended(watch, end - System.nanoTime());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        synchronized (workers) {
            return workers.isEmpty();
        }
    }

    /** Waits for a thread to end; false when this one was interrupted meanwhile. */
    private static boolean ended(Thread thread, long nanos) {
        try {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private boolean interrupt(long unique) {
        synchronized (workers) {
            return workers.stream().anyMatch(worker -> worker.interrupt(unique));
        }
    }

    /** One place to read from, who has it, and what was seen of that. */
    private final class Lane {

        // Written with workers locked.
        private volatile @Nullable Worker reader;
        // Of the watch alone.
        private @Nullable Worker seen;
        private long turn;

        // Call with workers locked.
        void give(Worker next) {
            Worker before = reader;
            next.reads = true;
            reader = next;
            if (before != null) {
                before.reads = false;
            }
        }

        boolean hasMoved() {
            Worker now = reader;
            return now != seen || now != null && now.turn != turn;
        }

        /** Takes note, and says whether something has happened. Who is in the same answer as before reads no more. */
        boolean look() {
            Worker now = reader;
            long itsTurn = now == null ? 0 : now.turn;
            boolean moved = now != seen || itsTurn != turn;
            seen = now;
            turn = itsTurn;
            if (now == null || !moved && answers()) {
                replace(this, now);
            }
            return moved;
        }

        /** Whether an answer was under way at the last look. */
        boolean answers() {
            return Worker.answers(turn);
        }
    }

    private final class Worker extends Thread {

        private static final long NONE = 0;

        private final FuseDevice.Buffer in = FuseDevice.Buffer.forRequests();
        private final FuseDevice.Buffer out = FuseDevice.Buffer.forAnswers();
        private final Reply reply = new Reply(out.bytes());
        private final Object lock = new Object();
        // Guarded by the lock.
        private long answering = NONE;
        // Goes up when an answer begins and when it ends; written by this thread alone.
        private volatile long turn;
        private volatile boolean reads = true;

        Worker(String name) {
            super(name);
            setDaemon(true);
        }

        static boolean answers(long turn) {
            return (turn & 1) != 0;
        }

        @Override
        public void run() {
            try {
                do {
                    serve();
                } while (awaitNeed());
            } finally {
                synchronized (workers) {
                    workers.remove(this);
                    workers.notifyAll();
                }
            }
        }

        /** Reads and answers until another one reads. */
        @SuppressWarnings("NonAtomicVolatileUpdate")
        private void serve() {
            while (!closed && reads) {
                int length = device.read(in);
                if (length >= RequestHeader.SIZE) {
                    turn++;
                    if (!watching) {
                        watching = true;
                        LockSupport.unpark(watch);
                    }
                    answer(length);
                    turn++;
                } else if (!again(length)) {
                    close();
                }
            }
        }

        /** Waits until this one is to read again. */
        private boolean awaitNeed() {
            synchronized (workers) {
                if (closed || spare.size() >= MOST_SPARE) {
                    return false;
                }
                spare.add(this);
            }
            while (!closed && !reads) {
                LockSupport.park(ServingThreads.this);
            }
            return !closed;
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
                if (ServingThreads.this.interrupt(
                        SessionMessages.Interrupt.take(request).unique())) {
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

        private void begin(long unique) {
            synchronized (lock) {
                answering = unique;
                if (closed) {
                    // It was on its way to the file when all who were in one were told to leave.
                    interrupt();
                }
            }
        }

        private void end() {
            synchronized (lock) {
                answering = NONE;
                interrupted();
            }
        }

        boolean interrupt(long unique) {
            synchronized (lock) {
                if (answering != unique) {
                    return false;
                }
                interrupt();
                return true;
            }
        }

        void leaveFile() {
            synchronized (lock) {
                if (answering != NONE) {
                    interrupt();
                }
            }
        }
    }
}
