package dev.neurontest.print.stream;

import dev.neurontest.print.PrintDoubt;
import dev.neurontest.runtime.stream.DebugStream;
import dev.neurontest.runtime.stream.StillReadingException;
import dev.neurontest.runtime.stream.StreamEvent;
import dev.neurontest.runtime.stream.StreamPoll;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that reads all streams, since a stream must not be read by two. Other threads that want something of a stream
 * ask this one.
 */
final class StreamReader {

    /** After so many events of one stream it is the next one's turn. */
    private static final int BATCH = 512;

    private static final int POLL_MILLIS = 250;

    /** A stream that says so often in a row that it has something, and has nothing or fails, is only looked at now and then. */
    private static final int FALSE_ALARMS = 16;

    private static final int LOOK_MILLIS = 10;

    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(5);

    private final List<CoreStream> streams = new ArrayList<>();
    private final int[] falseAlarms;
    private final StreamPoll poll;
    private final StreamOptions options;
    private final Thread thread;
    private final Queue<Wish> wishes = new ArrayDeque<>();
    private final List<Settling> settlings = new ArrayList<>();
    private volatile boolean stopping;
    private volatile long late;
    private boolean over;

    /** Something that another thread waits for. */
    private abstract static class Wish {
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile @Nullable RuntimeException refused;

        abstract void begin();

        final void fulfilled() {
            done.countDown();
        }
    }

    private StreamReader(List<DebugStream> connected, StreamOptions options) {
        this.options = options;
        StreamEvent event = new StreamEvent();
        connected.forEach(stream -> streams.add(new CoreStream(stream, event, options.capacity())));
        this.falseAlarms = new int[connected.size()];
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
            while (!stopping) {
                boolean more = readBatches();
                takeWishes();
                settlings.removeIf(Settling::isOver);
                poll.await(more ? 0 : patience());
            }
            // One for all, so that the end does not take longer the more streams there are.
            SettleLimit limit = limit(streams);
            streams.stream().filter(stream -> !drainWhole(stream, limit)).forEach(CoreStream::cutOff);
        } catch (RuntimeException | Error broken) {
            streams.forEach(stream -> stream.end("the thread that reads it ended with " + broken));
        } finally {
            finish();
        }
    }

    /** One batch of each stream that has something. */
    private boolean readBatches() {
        boolean more = false;
        for (int index = 0; index < streams.size(); index++) {
            CoreStream stream = streams.get(index);
            if (stream.hasEnded()) {
                continue;
            }
            if (poll.isGone(index)) {
                stream.end("its file descriptor was closed by other code");
                poll.watch(index, false);
            } else if (poll.isReady(index) || falseAlarms[index] >= FALSE_ALARMS) {
                more |= readBatch(index, stream);
            }
        }
        late = streams.stream().mapToLong(CoreStream::late).sum();
        return more;
    }

    private boolean readBatch(int index, CoreStream stream) {
        long before = stream.taken();
        CoreStream.Drained drained = stream.drain(BATCH);
        int alarms = drained == CoreStream.Drained.FAILED ? FALSE_ALARMS : falseAlarms[index] + 1;
        alarms = stream.taken() > before ? 0 : Math.min(alarms, FALSE_ALARMS);
        if (alarms == 0 || alarms == FALSE_ALARMS) {
            poll.watch(index, alarms == 0);
        }
        falseAlarms[index] = alarms;
        if (stream.hasEnded()) {
            poll.watch(index, false);
        }
        return drained == CoreStream.Drained.MORE;
    }

    private int patience() {
        long millis = POLL_MILLIS;
        for (int alarms : falseAlarms) {
            millis = alarms >= FALSE_ALARMS ? Math.min(millis, LOOK_MILLIS) : millis;
        }
        for (Settling settling : settlings) {
            millis = Math.min(millis, settling.millisLeft());
        }
        return (int) millis;
    }

    private void takeWishes() {
        while (true) {
            Wish wish;
            synchronized (wishes) {
                wish = wishes.poll();
            }
            if (wish == null) {
                return;
            }
            try {
                wish.begin();
            } catch (RuntimeException e) {
                wish.refused = e;
                wish.fulfilled();
            }
        }
    }

    private SettleLimit limit(List<CoreStream> some) {
        return new SettleLimit(options.settleTimeout(), () -> taken(some), options.held() * some.size());
    }

    private static long taken(List<CoreStream> some) {
        return some.stream().mapToLong(CoreStream::taken).sum();
    }

    /** Whether it became empty in time. */
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
        ask(tap, new Wish() {
            @Override
            void begin() {
                List<CoreStream> wanted = of(tap);
                for (CoreStream stream : wanted) {
                    if (stream.tap() != null) {
                        throw new IllegalStateException(
                                "Core %s of this process has a test that collects its prints already. Events do not say which test they are of: run tests on one core one after the other."
                                        .formatted(stream.stream().core()));
                    }
                }
                SettleLimit limit = limit(wanted);
                for (CoreStream stream : wanted) {
                    if (!drainWhole(stream, limit) && !stream.hasEnded()) {
                        tap.doubt(unsettled(
                                "before the test began, so that prints of an earlier one may be among these"));
                    }
                    stream.tap(tap);
                }
                tap.settled(options.executions().ended(tap.cores()));
                fulfilled();
            }
        });
        if (isOver()) {
            of(tap).forEach(stream -> stream.tellEnd(tap));
        }
    }

    private boolean isOver() {
        synchronized (wishes) {
            return over;
        }
    }

    void settle(StreamTap tap) {
        ask(tap, new Settling(tap, false));
    }

    void end(StreamTap tap) {
        ask(tap, new Settling(tap, true));
    }

    private PrintDoubt unsettled(String when) {
        return new PrintDoubt(
                PrintDoubt.Kind.UNSETTLED,
                "A debug stream did not stay empty for %s ms %s before its time was over (%s ms). End executions first, or raise neuron.test.print.timeout."
                        .formatted(
                                options.settleDelay().toMillis(),
                                when,
                                options.settleTimeout().toMillis()));
    }

    /** A test that wants to know that everything has come. */
    private final class Settling extends Wish {

        private final StreamTap tap;
        private final boolean last;
        private final List<CoreStream> wanted;
        private final SettleLimit limit;
        private long quietSince;
        private long arrived = -1;
        private long executions;

        private Settling(StreamTap tap, boolean last) {
            this.tap = tap;
            this.last = last;
            this.wanted = of(tap);
            this.limit = limit(wanted);
        }

        @Override
        void begin() {
            executions = options.executions().ended(tap.cores());
            boolean empty;
            try {
                empty = drainAll();
            } catch (RuntimeException broken) {
                over();
                throw broken;
            }
            if (empty && tap.isSettled(executions)) {
                over();
            } else {
                arrived = tap.arrived();
                quietSince = System.nanoTime();
                settlings.add(this);
            }
        }

        private boolean drainAll() {
            boolean empty = true;
            for (CoreStream stream : wanted) {
                empty &= stream.drain(BATCH) == CoreStream.Drained.EMPTY;
            }
            return empty;
        }

        private long millisLeft() {
            long left = Math.min(options.settleDelay().toNanos() - (System.nanoTime() - quietSince), limit.nanosLeft());
            return Math.max(0, TimeUnit.NANOSECONDS.toMillis(left) + 1);
        }

        private boolean isOver() {
            boolean isQuiet = tap.arrived() == arrived
                    && System.nanoTime() - quietSince >= options.settleDelay().toNanos()
                    && drainAll();
            if (tap.arrived() != arrived) {
                arrived = tap.arrived();
                quietSince = System.nanoTime();
            } else if (isQuiet) {
                tap.settled(executions);
                over();
                return true;
            }
            if (!limit.isOver(isIdle())) {
                return false;
            }
            tap.doubt(unsettled(last ? "after the test" : "in the test"));
            over();
            return true;
        }

        private boolean isIdle() {
            long ended = options.executions().ended(tap.cores());
            return ended == executions && options.executions().begun(tap.cores()) == ended;
        }

        /** What began is asked first: an execution that ends between the questions does not go on. */
        private void tellWhatGoesOn() {
            long begun = options.executions().begun(tap.cores());
            if (begun > options.executions().ended(tap.cores())) {
                tap.doubt(new PrintDoubt(
                        PrintDoubt.Kind.UNSETTLED,
                        "Something was still executed on cores %s of this process when the test ended: what it prints after that is missing. Wait for executions to end before the test does."
                                .formatted(tap.cores())));
            }
        }

        private void over() {
            if (last) {
                tellWhatGoesOn();
                wanted.stream().filter(stream -> stream.tap() == tap).forEach(stream -> stream.tap(null));
            }
            fulfilled();
        }
    }

    private void ask(StreamTap tap, Wish wish) {
        synchronized (wishes) {
            if (over) {
                return;
            }
            wishes.add(wish);
        }
        poll.wake();
        if (!progress().await(millis -> wish.done.await(millis, TimeUnit.MILLISECONDS))) {
            tap.doubt(new PrintDoubt(
                    PrintDoubt.Kind.UNSETTLED,
                    "The thread that reads debug streams is stuck in nrt_debug_client_read_one_event: it has read nothing for %s ms and has not answered."
                            .formatted(longest().toMillis())));
        }
        if (wish.refused != null) {
            throw wish.refused;
        }
    }

    /** The thread does something at least so often, unless it is stuck. */
    private Duration longest() {
        return options.settleTimeout().plus(ANSWERED_WITHIN);
    }

    private Progress progress() {
        return new Progress(() -> taken(streams), longest());
    }

    /** Ends all waits, because the thread is about to end. */
    private void finish() {
        synchronized (wishes) {
            over = true;
            wishes.forEach(Wish::fulfilled);
            wishes.clear();
        }
        settlings.forEach(Wish::fulfilled);
        streams.forEach(stream -> stream.tap(null));
        late = streams.stream().mapToLong(CoreStream::late).sum();
    }

    /**
     * Reads what is left, and ends the thread.
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
                    "The thread that reads debug streams did not come back from nrt_debug_client_read_one_event for %s s. The streams stay open, and so does the runtime: close it again when that has returned."
                            .formatted(longest().toSeconds()));
        }
        poll.close();
    }
}
