package dev.neurontest.internal.print.stream;

import dev.neurontest.internal.runtime.stream.DebugStream;
import dev.neurontest.internal.runtime.stream.StillReadingException;
import dev.neurontest.internal.runtime.stream.StreamEvent;
import dev.neurontest.internal.runtime.stream.StreamPoll;
import dev.neurontest.print.PrintDoubt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The single thread that reads all streams. A stream must not be read by two threads, and a call of the library may never return. Other
 * threads wait for its next pass over the streams while it makes progress.
 */
final class StreamReader {

    /** Maximum number of events of one stream before the next stream is read. */
    private static final int BATCH = 512;

    private static final int POLL_MILLIS = 250;

    private static final int RETRY_MILLIS = 10;

    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(5);

    private final List<CoreStream> streams = new ArrayList<>();
    private final StreamPoll poll;
    private final StreamOptions options;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile long late;
    private long requested;
    private long passed;
    private boolean over;

    private StreamReader(List<DebugStream> connected, StreamOptions options) {
        this.options = options;
        StreamEvent event = new StreamEvent();
        connected.forEach(stream -> streams.add(new CoreStream(stream, event, options.capacity())));
        this.poll = new StreamPoll(connected);
        this.thread = new Thread(this::run, "neuron debug streams");
        thread.setDaemon(true);
    }

    static StreamReader start(List<DebugStream> connected, StreamOptions options) {
        StreamReader reader = new StreamReader(connected, options);
        reader.thread.start();
        return reader;
    }

    private void run() {
        try {
            boolean isReady = false;
            while (!stopping) {
                long pass = requested();
                long before = taken(streams);
                CoreStream.Drained drained = readBatches();
                passed(pass);
                // A stream that fails, or is ready without data, is only checked occasionally.
                boolean inVain = (isReady || drained == CoreStream.Drained.FAILED) && taken(streams) == before;
                int millis = drained == CoreStream.Drained.MORE ? 0 : inVain ? RETRY_MILLIS : POLL_MILLIS;
                isReady = poll.await(millis, !inVain);
            }
            // One limit for all streams, to end in the same time for any number of streams.
            SettleLimit limit = limit(streams);
            streams.stream().filter(stream -> !drainWhole(stream, limit)).forEach(CoreStream::cutOff);
        } catch (RuntimeException | Error broken) {
            streams.forEach(stream -> stream.end("the thread that reads it ended with " + broken));
        } finally {
            finish();
        }
    }

    private synchronized long requested() {
        return requested;
    }

    private synchronized void passed(long pass) {
        passed = pass;
        notifyAll();
    }

    /** Reads one batch of each stream. Returns {@code MORE} if a stream has more events, or else {@code FAILED} if a read failed. */
    private CoreStream.Drained readBatches() {
        CoreStream.Drained all = CoreStream.Drained.EMPTY;
        for (int index = 0; index < streams.size(); index++) {
            CoreStream stream = streams.get(index);
            if (stream.hasEnded()) {
                continue;
            }
            if (poll.isGone(index)) {
                stream.end("its file descriptor was closed by other code");
            } else {
                CoreStream.Drained drained = stream.drain(BATCH);
                all = all == CoreStream.Drained.MORE || drained == CoreStream.Drained.EMPTY ? all : drained;
            }
            if (stream.hasEnded()) {
                poll.forget(index);
            }
        }
        late = streams.stream().mapToLong(CoreStream::late).sum();
        return all;
    }

    private SettleLimit limit(List<CoreStream> group) {
        return new SettleLimit(options.settleTimeout(), () -> taken(group), options.held() * group.size());
    }

    private static long taken(List<CoreStream> group) {
        return group.stream().mapToLong(CoreStream::taken).sum();
    }

    /** Reads a stream until it is empty, and returns whether this happened in time. */
    private static boolean drainWhole(CoreStream stream, SettleLimit limit) {
        while (true) {
            CoreStream.Drained drained = stream.drain(BATCH);
            if (drained != CoreStream.Drained.MORE) {
                return drained == CoreStream.Drained.EMPTY;
            }
            if (limit.isOver(true)) {
                return false;
            }
        }
    }

    private List<CoreStream> of(StreamTap tap) {
        return streams.stream()
                .filter(stream -> tap.cores().contains(stream.stream().core()))
                .toList();
    }

    long late() {
        return late;
    }

    void begin(StreamTap tap) {
        List<CoreStream> testStreams = of(tap);
        synchronized (streams) {
            for (CoreStream stream : testStreams) {
                if (stream.tap() != null) {
                    throw new IllegalStateException(
                            "Another test already collects the prints of core %s of this process. Events do not name their test: run tests on one core one after the other."
                                    .formatted(stream.stream().core()));
                }
            }
            SettleLimit limit = limit(testStreams);
            while (isRead(tap) && has(testStreams, CoreStream.Drained.MORE) && !limit.isOver(true)) {
                // Earlier prints are read until none are left.
            }
            for (CoreStream stream : testStreams) {
                if (stream.drained() != CoreStream.Drained.EMPTY && !stream.hasEnded()) {
                    tap.doubt(unsettled("before the test began, so prints of an earlier test may be included"));
                }
                stream.tap(tap);
            }
        }
        tap.settled(options.executions().ended(tap.cores()));
    }

    private static boolean has(List<CoreStream> group, CoreStream.Drained drained) {
        return group.stream().anyMatch(stream -> stream.drained() == drained);
    }

    /**
     * Waits until the streams of a test stay empty for a while. If no execution has run, it waits only until they have been read.
     *
     * @return false when the streams are no longer read
     */
    boolean settle(StreamTap tap, String when) {
        List<CoreStream> testStreams = of(tap);
        SettleLimit limit = limit(testStreams);
        long delay = options.settleDelay().toNanos();
        long executions = options.executions().ended(tap.cores());
        long arrived = -1;
        long quietSince = 0;
        while (isRead(tap)) {
            boolean empty = testStreams.stream().allMatch(stream -> stream.drained() == CoreStream.Drained.EMPTY);
            long now = System.nanoTime();
            if (empty && tap.isSettled(executions)) {
                return true;
            }
            if (tap.arrived() != arrived) {
                arrived = tap.arrived();
                quietSince = now;
            } else if (empty && now - quietSince >= delay) {
                tap.settled(executions);
                return true;
            }
            if (limit.isOver(isIdle(tap, executions))) {
                tap.doubt(unsettled(when));
                return true;
            }
            if (!has(testStreams, CoreStream.Drained.MORE)) {
                pause(Math.min(delay - (now - quietSince), limit.nanosLeft()));
            }
        }
        return false;
    }

    private boolean isIdle(StreamTap tap, long executions) {
        long ended = options.executions().ended(tap.cores());
        return ended == executions && options.executions().begun(tap.cores()) == ended;
    }

    private static void pause(long nanos) {
        SettleLimit.pause(nanos, millis -> {
            Thread.sleep(millis);
            return false;
        });
    }

    void end(StreamTap tap) {
        boolean isRead = settle(tap, "after the test");
        // The started executions are read first, to exclude an execution that ends between the two reads.
        long begun = options.executions().begun(tap.cores());
        if (begun > options.executions().ended(tap.cores())) {
            tap.doubt(new PrintDoubt(
                    PrintDoubt.Kind.UNSETTLED,
                    "An execution was still running on cores %s of this process when the test ended: its later prints are missing. Wait for executions to end before the test ends."
                            .formatted(tap.cores())));
        }
        // A stuck thread may return later with an event of this test.
        if (isRead) {
            of(tap).stream().filter(stream -> stream.tap() == tap).forEach(stream -> stream.tap(null));
        }
    }

    private PrintDoubt unsettled(String when) {
        return new PrintDoubt(
                PrintDoubt.Kind.UNSETTLED,
                "A debug stream did not stay empty for %s ms within its time limit (%s ms) %s. End executions first, or raise neuron.test.print.timeout."
                        .formatted(
                                options.settleDelay().toMillis(),
                                options.settleTimeout().toMillis(),
                                when));
    }

    /**
     * Waits until all streams have been read after this call.
     *
     * @return false when the streams are no longer read
     */
    private boolean isRead(StreamTap tap) {
        long pass;
        synchronized (this) {
            if (over) {
                return false;
            }
            pass = ++requested;
        }
        poll.wake();
        boolean answered = progress().await(millis -> hasPassed(pass, millis));
        if (!answered) {
            tap.doubt(new PrintDoubt(
                    PrintDoubt.Kind.UNSETTLED,
                    "The thread that reads debug streams is stuck in nrt_debug_client_read_one_event: it has read nothing for %s ms and does not respond."
                            .formatted(longest().toMillis())));
        }
        return answered;
    }

    private synchronized boolean hasPassed(long pass, long millis) throws InterruptedException {
        if (passed < pass && !over) {
            wait(millis);
        }
        return passed >= pass || over;
    }

    /** Returns the maximum time without progress of a thread that is not stuck. */
    private Duration longest() {
        return options.settleTimeout().plus(ANSWERED_WITHIN);
    }

    private SettleLimit progress() {
        return SettleLimit.ofProgress(longest(), () -> taken(streams));
    }

    /** Ends all waits because the thread is about to end. */
    private synchronized void finish() {
        over = true;
        streams.forEach(stream -> stream.tap(null));
        late = streams.stream().mapToLong(CoreStream::late).sum();
        notifyAll();
    }

    /**
     * Reads the remaining events and ends the thread.
     *
     * @throws StillReadingException when it does not end
     */
    void stop() {
        stopping = true;
        poll.wake();
        boolean ended = progress().await(millis -> {
            thread.join(millis);
            return !thread.isAlive();
        });
        if (!ended) {
            throw new StillReadingException(
                    "The thread that reads debug streams did not return from nrt_debug_client_read_one_event for %s s. The streams and the runtime stay open: close the runtime again when that call has returned."
                            .formatted(longest().toSeconds()));
        }
        poll.close();
    }
}
