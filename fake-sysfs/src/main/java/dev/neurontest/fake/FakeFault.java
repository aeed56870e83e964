package dev.neurontest.fake;

import dev.neurontest.fake.internal.tree.FileFault;
import dev.neurontest.fake.internal.tree.InProcessTree;
import java.io.IOException;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A fault that lasts until it is closed, or until {@link FakeNeuronHost#resetAll()}. */
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
    private boolean triggered;
    private boolean closed;

    FakeFault(Fault fault, FaultScope scope, Consumer<FakeFault> ended) {
        this.name = fault + " (" + scope + ")";
        this.effect = fault.on(scope);
        this.tree = scope.tree();
        this.ended = ended;
        start(fault);
    }

    private synchronized void start(Fault fault) {
        // Holds the lock, because a reader that comes at once must wait until the fault is set up.
        tree.addFault(effect.watched(), before);
        if (fault.readsBefore().isPresent()) {
            readsToCome = fault.readsBefore().getAsInt();
            tree.noteFault(effect.watched(), "fault " + name + " waits for " + readsToCome + " reads");
            return;
        }
        try {
            begin();
        } catch (RuntimeException e) {
            tree.removeFault(effect.watched(), before);
            throw e;
        }
    }

    /**
     * Checks whether the fault has had an effect: it moved a counter, removed the device, or changed a read of the in-process view.
     *
     * @return true also after the fault has ended
     */
    public synchronized boolean triggered() {
        return triggered;
    }

    /** Ends the fault: a stuck file changes again. Counters that rose keep their value. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            try {
                tree.removeFault(effect.watched(), before);
                tree.noteFault(effect.watched(), "fault " + name + " ends");
            } finally {
                ended.accept(this);
            }
        }
    }

    private void begin() {
        begun = true;
        triggered = effect.happensOnce();
        tree.noteFault(effect.watched(), "fault " + name + " begins");
        effect.begin();
    }

    /** Returns whether the next read meets the fault, and counts the read. */
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
        triggered = true;
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

    /** Returns text such as {@code fault EIO on core_count (neuron0)}. */
    @Override
    public String toString() {
        return "fault " + name;
    }
}
