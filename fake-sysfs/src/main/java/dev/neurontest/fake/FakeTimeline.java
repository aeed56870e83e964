package dev.neurontest.fake;

import dev.neurontest.fake.internal.archive.Archive;
import dev.neurontest.fake.internal.archive.Step;
import dev.neurontest.fake.internal.tree.InProcessTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The recorded changes of a host. Nothing happens before {@link #play()}, {@link #seek(String)} or {@link #end()}. Then counters take the
 * recorded values, even if something else has moved them, and pollers wake as with the driver. The timeline is empty for a host without a
 * recording and for a recording of one moment. Safe for use by several threads.
 *
 * <p>Devices appear and disappear in every view. Single files and directories of a device do so in the FUSE view and by method call. In the
 * directory view, a file that disappears is empty, and a new file is missing until its device has disappeared and come back.
 *
 * <pre>{@code
 * try (FakeNeuronHost host = FakeNeuronHost.builder().recording(file).start()) {
 *     host.timeline().seek("body started");
 *     ...
 *     host.timeline().end();
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeTimeline {

    /** A step and the time when it is due. */
    private record Due(Duration at, Step step) {}

    private final InProcessTree tree;
    private final List<Due> steps;
    private final List<Step> beginning;
    private final List<String> marks;
    private final Duration length;
    // All guarded by this timeline's monitor.
    private int next;
    private Duration position = Duration.ZERO;
    private @Nullable Thread player;

    FakeTimeline(Archive archive, InProcessTree tree) {
        this.tree = tree;
        List<Due> due = new ArrayList<>();
        List<String> words = new ArrayList<>();
        for (Archive.Reading reading : archive.timeline()) {
            for (Step step : reading.steps()) {
                due.add(new Due(reading.at(), step));
                if (step instanceof Step.Mark mark) {
                    words.add(mark.words());
                }
            }
        }
        this.steps = List.copyOf(due);
        this.beginning = archive.beginning();
        this.marks = List.copyOf(words);
        this.length =
                steps.isEmpty() ? Duration.ZERO : steps.get(steps.size() - 1).at();
    }

    /**
     * Returns the names of the recorded moments.
     *
     * @return the names in order, such as {@code body started} and {@code body ended}
     */
    public List<String> marks() {
        return marks;
    }

    /**
     * Returns the time of the last change.
     *
     * @return the time since the beginning; zero when nothing changes
     */
    public Duration length() {
        return length;
    }

    /**
     * Returns the time up to which everything has happened.
     *
     * @return the time since the beginning
     */
    public synchronized Duration position() {
        return position;
    }

    /** Starts to play the remaining changes at their recorded speed. Does nothing while it plays. */
    public void play() {
        play(1);
    }

    /**
     * Starts to play the remaining changes at a given speed. Does nothing while it plays.
     *
     * @param speed the speed relative to the recording; 2 is twice as fast
     * @throws IllegalArgumentException when the speed is not above 0
     */
    public synchronized void play(double speed) {
        if (!(speed > 0) || Double.isInfinite(speed)) {
            throw new IllegalArgumentException("the speed of a timeline must be above 0, but was " + speed);
        }
        if (player != null || next == steps.size()) {
            return;
        }
        Thread playing = new Thread(() -> run(speed), "fake-neuron-timeline");
        playing.setDaemon(true);
        player = playing;
        playing.start();
    }

    private synchronized void run(double speed) {
        Thread self = Thread.currentThread();
        long begin = System.nanoTime();
        Duration from = position;
        try {
            while (player == self && next < steps.size()) {
                double due = steps.get(next).at().minus(from).toNanos() / speed;
                long wait = (long) due - (System.nanoTime() - begin);
                if (wait > 0) {
                    // At least a millisecond, because a wait of 0 would never end.
                    wait(Math.max(1, wait / 1_000_000));
                } else {
                    applyNextReading();
                }
            }
        } catch (InterruptedException e) {
            // Only the end of the JVM interrupts this thread.
            self.interrupt();
        } finally {
            if (player == self) {
                player = null;
            }
        }
    }

    private void applyNextReading() {
        Duration now = steps.get(next).at();
        int end = next;
        while (end < steps.size() && steps.get(end).at().equals(now)) {
            end++;
        }
        applyUntil(end);
    }

    private void applyUntil(int end) {
        if (end < next) {
            tree.replay(beginning);
            next = 0;
        }
        tree.replay(steps.subList(next, end).stream().map(Due::step).toList());
        next = end;
        position = end == 0 ? Duration.ZERO : steps.get(end - 1).at();
    }

    /** Stops playing at the current position. */
    public synchronized void pause() {
        player = null;
        notifyAll();
    }

    /**
     * Moves to a mark at once, forwards or backwards. Everything before the mark has happened, nothing after it. Stops playing.
     *
     * @param mark one of {@link #marks()}
     * @throws IllegalArgumentException when there is no such mark; the message lists the existing ones
     */
    public synchronized void seek(String mark) {
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).step() instanceof Step.Mark here && here.words().equals(mark)) {
                pause();
                applyUntil(i + 1);
                return;
            }
        }
        throw new IllegalArgumentException("no mark \"" + mark + "\" in the recording; there are: "
                + (marks.isEmpty() ? "none" : String.join(", ", marks)));
    }

    /** Restores the state at the start of the host, at once. Stops playing. */
    public synchronized void rewind() {
        pause();
        tree.replay(beginning);
        next = 0;
        position = Duration.ZERO;
    }

    /** Applies all remaining changes at once. Stops playing. */
    public synchronized void end() {
        pause();
        applyUntil(steps.size());
    }
}
