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
 * Recorder of the changes of a host after a {@link HostPicture} of it. It reads the files of chosen devices repeatedly, on its own thread,
 * and stores the changes. No caller waits long for an unresponsive host, not even with an interrupted thread. The stored changes are
 * limited. After the limit, the recorder only reads at marks and at the end, therefore the last values are still correct.
 *
 * <p>Files that were slow during the picture are read only at the beginning and at the end. Files and devices that were added after the
 * picture are not recorded.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostRecorder implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Duration interval;
    private final Duration patience;
    private final ChangeLog log;
    private final ScheduledExecutorService scheduler;
    private volatile @Nullable String trouble;

    private HostRecorder(ChangeLog log, Duration interval, Duration patience) {
        this.log = log;
        this.interval = interval;
        this.patience = patience;
        this.scheduler = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "neuron-test-recorder");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Starts recording. The first reading is the beginning of the timeline.
     *
     * @param picture picture of the host
     * @param devices filter of devices by name, such as {@code neuron0}
     * @param interval pause between two readings
     * @param limit maximum number of characters of changes
     * @return the recorder, which must be stopped or closed
     */
    public static HostRecorder start(HostPicture picture, Predicate<String> devices, Duration interval, int limit) {
        return start(picture, devices, interval, limit, PATIENCE);
    }

    static HostRecorder start(
            HostPicture picture, Predicate<String> devices, Duration interval, int limit, Duration patience) {
        HostRecorder recorder = new HostRecorder(new ChangeLog(picture, devices, limit), interval, patience);
        recorder.completed(recorder.log::begin);
        long nanos = Math.max(1, interval.toNanos());
        recorder.scheduler.scheduleWithFixedDelay(recorder::takeReading, nanos, nanos, TimeUnit.NANOSECONDS);
        return recorder;
    }

    private interface IoAction {
        void take() throws IOException;
    }

    private void takeReading() {
        try {
            log.readFiles();
        } catch (RuntimeException | Error unexpected) {
            // The next reading may succeed.
            noteFailure(unexpected);
        }
    }

    private void noteFailure(@Nullable Throwable cause) {
        trouble = "a reading failed, so some values are missing or late: " + cause;
    }

    /**
     * Names the current moment, after a reading if that is fast. After the recorder is stopped, there are no more readings.
     *
     * @param words names; a name that this recording already contains is omitted
     */
    public void mark(String... words) {
        List<String> names = List.of(words);
        if (!completed(() -> log.mark(names))) {
            log.markOnly(names);
        }
    }

    /** Takes the last reading, once. */
    public void stop() {
        if (!scheduler.isShutdown()) {
            completed(log::finalReading);
            close();
        }
    }

    /** Stops recording without a last reading. */
    @Override
    public void close() {
        log.close();
        scheduler.shutdownNow();
    }

    /** Returns an archive of the recording so far. Its first part is the first reading. */
    public HostArchive archive() {
        @Nullable String hindered = trouble;
        return new HostArchive(log.first(), interval, log.timeline(hindered), log.coverage(hindered));
    }

    /** Takes a reading and returns whether it finished in time. */
    private boolean completed(IoAction action) {
        Callable<Boolean> task = () -> {
            action.take();
            return true;
        };
        Future<Boolean> result;
        try {
            result = scheduler.submit(task);
        } catch (RejectedExecutionException stopped) {
            return false;
        }
        long deadline = System.nanoTime() + patience.toNanos();
        return Uninterrupted.get(() -> {
            try {
                return result.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException noAnswer) {
                trouble = "a reading took too long, so some values are missing or late";
            } catch (ExecutionException unexpected) {
                // A failed reading must not end the recorded test, and must not hide the test's own failure.
                noteFailure(unexpected.getCause());
            }
            return false;
        });
    }
}
