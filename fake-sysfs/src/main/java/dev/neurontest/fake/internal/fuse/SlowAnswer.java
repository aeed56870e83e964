package dev.neurontest.fake.internal.fuse;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A slow answer. Another thread reads the next requests, which keeps a slow file from delaying others. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SlowAnswer {

    private static final ThreadLocal<@Nullable Runnable> HANDING_OVER = new ThreadLocal<>();

    private SlowAnswer() {}

    static void onThisThread(Runnable handingOver) {
        HANDING_OVER.set(handingOver);
    }

    /** Starts a slow answer. It has no effect in a thread that serves no mount. */
    public static void begin() {
        Runnable handOver = HANDING_OVER.get();
        if (handOver != null) {
            handOver.run();
        }
    }
}
