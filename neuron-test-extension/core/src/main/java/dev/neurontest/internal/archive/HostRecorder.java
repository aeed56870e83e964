package dev.neurontest.internal.archive;

import dev.neurontest.internal.thread.Uninterrupted;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Watches how a host goes on after a {@link HostPicture} of it: looks at the files of chosen devices again and again, on a thread of its
 * own, and keeps what has changed. No caller waits long for a host that does not answer, an interrupted thread neither. What is kept has
 * a limit; when that is reached, there are no more looks but at marks and at the end, so that the last values are right all the same.
 *
 * <p>Files that were slow when the picture was made are read at the beginning and at the end alone. Files and devices that were not there
 * then are not seen.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostRecorder implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Duration interval;
    private final Duration patience;
    private final ChangeLog log;
    private final ScheduledExecutorService looks;
    private volatile @Nullable String trouble;

    private HostRecorder(ChangeLog log, Duration interval, Duration patience) {
        this.log = log;
        this.interval = interval;
        this.patience = patience;
        this.looks = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "neuron-test-recorder");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Starts watching. The first look makes the beginning of the timeline.
     *
     * @param picture what there was
     * @param devices says which devices are watched, such as {@code neuron0}
     * @param interval how long to wait between two looks
     * @param limit how many characters of changes are kept
     * @return the recorder, which has to be stopped or closed
     */
    public static HostRecorder start(HostPicture picture, Predicate<String> devices, Duration interval, int limit) {
        return start(picture, devices, interval, limit, PATIENCE);
    }

    static HostRecorder start(
            HostPicture picture, Predicate<String> devices, Duration interval, int limit, Duration patience) {
        HostRecorder recorder = new HostRecorder(new ChangeLog(picture, devices, limit), interval, patience);
        recorder.cameToItsEnd(recorder.log::begin);
        long nanos = Math.max(1, interval.toNanos());
        recorder.looks.scheduleWithFixedDelay(recorder::look, nanos, nanos, TimeUnit.NANOSECONDS);
        return recorder;
    }

    private interface Look {
        void take() throws IOException;
    }

    private void look() {
        try {
            log.look();
        } catch (RuntimeException | Error unexpected) {
            // The next look may go well.
            broke(unexpected);
        }
    }

    private void broke(@Nullable Throwable cause) {
        trouble = "a look broke, so that some values are missing or late: " + cause;
    }

    /**
     * Names this moment, after one more look if that does not take long. Once it is stopped, there are no more looks.
     *
     * @param words names; one that was used before in this recording is left out
     */
    public void mark(String... words) {
        List<String> names = List.of(words);
        if (!cameToItsEnd(() -> log.mark(names))) {
            log.markOnly(names);
        }
    }

    /** Takes the last look, once. */
    public void stop() {
        if (!looks.isShutdown()) {
            cameToItsEnd(log::lastLook);
            close();
        }
    }

    /** Stops watching, without a last look. */
    @Override
    public void close() {
        log.close();
        looks.shutdownNow();
    }

    /**
     * What was recorded until now.
     *
     * @return an archive whose first part is what the first look saw
     */
    public HostArchive archive() {
        @Nullable String hindered = trouble;
        return new HostArchive(log.first(), interval, log.timeline(hindered), log.coverage(hindered));
    }

    /** Takes a look, and says whether that came to its end in time. */
    private boolean cameToItsEnd(Look look) {
        Callable<Boolean> taken = () -> {
            look.take();
            return true;
        };
        Future<Boolean> over;
        try {
            over = looks.submit(taken);
        } catch (RejectedExecutionException stopped) {
            return false;
        }
        long deadline = System.nanoTime() + patience.toNanos();
        return Uninterrupted.get(() -> {
            try {
                return over.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException noAnswer) {
                trouble = "a look took too long, so that some values are missing or late";
            } catch (ExecutionException unexpected) {
                // The test that is recorded does not end for it, and what it ends for is not hidden by it.
                broke(unexpected.getCause());
            }
            return false;
        });
    }
}
