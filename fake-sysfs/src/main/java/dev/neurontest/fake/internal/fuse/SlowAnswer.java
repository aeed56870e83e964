package dev.neurontest.fake.internal.fuse;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** An answer that takes long: another thread reads the next requests, so that a slow file does not hold up the others. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SlowAnswer {

    private static final ThreadLocal<@Nullable Runnable> HANDING_OVER = new ThreadLocal<>();

    private SlowAnswer() {}

    static void onThisThread(Runnable handingOver) {
        HANDING_OVER.set(handingOver);
    }

    /** Begins to take long. Does nothing in a thread that serves no mount. */
    public static void begin() {
        Runnable handOver = HANDING_OVER.get();
        if (handOver != null) {
            handOver.run();
        }
    }
}
