package dev.neurontest.fake;

import dev.neurontest.fake.tree.FileFault;
import dev.neurontest.fake.tree.InProcessTree;
import java.io.IOException;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A fault that lasts until it is closed, or until {@link FakeNeuronHost#resetFaults()}. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class FakeFault implements AutoCloseable {

    private final String name;
    private final FaultEffect effect;
    private final InProcessTree tree;
    private final Consumer<FakeFault> ended;
    private final FileFault before = new BeforeReaders();
    // Guarded by this.
    private int readsToCome;
    private boolean begun;
    private boolean met;
    private boolean closed;

    FakeFault(Fault fault, FaultScope scope, Consumer<FakeFault> ended) {
        this.name = fault + " (" + scope + ")";
        this.effect = fault.on(scope);
        this.tree = scope.tree();
        this.ended = ended;
        tree.addFault(effect.watched(), before);
        begin();
    }

    /**
     * Lets some reads pass first; without it a fault begins at once. What has already happened is taken back. Counted are
     * reads through the in-process view: of the file that the fault names, of the counter's {@code total} for a rising
     * counter, of every file of the device for a device that is gone.
     *
     * @param reads how many reads are undisturbed; the next one meets the fault
     * @return this
     * @throws IllegalStateException when the fault has ended
     */
    public FakeFault afterReads(int reads) {
        if (reads < 0) {
            throw new IllegalArgumentException("a fault cannot begin after " + reads + " reads");
        }
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException(name + " has ended");
            }
            if (begun) {
                begun = false;
                met = false;
                effect.takeBack();
                tree.noteFault(effect.watched(), "fault " + name + " waits for " + reads + " reads");
            }
            readsToCome = reads;
        }
        return this;
    }

    /**
     * Whether the fault has done something: moved a counter, taken the device away, or met a reader of the in-process view.
     *
     * @return also true after the fault has ended
     */
    public synchronized boolean triggered() {
        return met;
    }

    /** Ends the fault: a device that was gone is back, a stuck file moves again. Counters that rose stay risen. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            tree.removeFault(effect.watched(), before);
            if (begun) {
                effect.end();
            }
            tree.noteFault(effect.watched(), "fault " + name + " ends");
        }
        ended.accept(this);
    }

    private synchronized void begin() {
        begun = true;
        met = effect.happensOnce();
        tree.noteFault(effect.watched(), "fault " + name + " begins");
        effect.begin();
    }

    /** Whether the next reader meets the fault. */
    private synchronized boolean meets() {
        if (closed) {
            return false;
        }
        if (!begun) {
            if (readsToCome > 0) {
                readsToCome--;
                return false;
            }
            begin();
        }
        met = true;
        return true;
    }

    private synchronized boolean lasts() {
        return begun && !closed;
    }

    private final class BeforeReaders implements FileFault {

        @Override
        public byte @Nullable [] onRead(String path) throws IOException {
            return meets() ? effect.read(path) : null;
        }

        @Override
        public void onWrite(String path) throws IOException {
            if (lasts()) {
                effect.write(path);
            }
        }

        @Override
        public byte @Nullable [] shown() {
            return lasts() ? effect.shown() : null;
        }
    }

    /** Such as {@code fault EIO on core_count (neuron0)}. */
    @Override
    public String toString() {
        return "fault " + name;
    }
}
