package dev.neurontest.internal.runtime.watch;

import java.util.function.LongConsumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A native object that is freed once: after it was closed and is no longer in use, or together with the runtime. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Handle {

    private final String what;
    private final long address;
    private final LongConsumer destructor;
    private int holders;
    private @Nullable Trace closedBy;
    private boolean freed;

    Handle(String what, long address, LongConsumer destructor) {
        this.what = what;
        this.address = address;
        this.destructor = destructor;
    }

    public String what() {
        return what;
    }

    /** Prevents the object from being freed until {@link #release}, even when it is closed before. */
    public synchronized long hold() {
        if (closedBy != null || freed) {
            throw new IllegalStateException("%s was closed by %s. Close it only after its last use."
                    .formatted(what, closedBy == null ? "its runtime" : closedBy));
        }
        holders++;
        return address;
    }

    public void release() {
        synchronized (this) {
            holders--;
            if (closedBy == null || holders > 0 || freed) {
                return;
            }
            freed = true;
        }
        destructor.accept(address);
    }

    public void close(Trace by) {
        synchronized (this) {
            if (closedBy != null) {
                return;
            }
            closedBy = by;
            if (holders > 0 || freed) {
                return;
            }
            freed = true;
        }
        destructor.accept(address);
    }

    /** Frees the object even if it is still in use, because the runtime ends. */
    void free() {
        synchronized (this) {
            if (freed) {
                return;
            }
            freed = true;
        }
        destructor.accept(address);
    }
}
