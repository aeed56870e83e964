package dev.neurontest.internal.runtime.watch;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.runtime.RuntimeLine;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.runtime.RuntimeStatus.Stage;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The running calls of the runtime, and the watchdog over them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CallsInFlight implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(CallsInFlight.class.getName());
    private static final long SHORTEST_ROUND = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_ROUND = TimeUnit.SECONDS.toNanos(1);

    private final long limit;
    private final RuntimeObserver observer;
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();
    private final Thread watchdog;
    private volatile boolean closed;

    private static final class Call {
        private final String function;
        private final String what;
        private final @Nullable NeuronCore core;
        private final Thread thread = Thread.currentThread();
        private final long started = System.nanoTime();
        private @Nullable StuckCall stuck;

        private Call(String function, String what, @Nullable NeuronCore core) {
            this.function = function;
            this.what = what;
            this.core = core;
        }

        private Duration since() {
            return Duration.ofNanos(System.nanoTime() - started);
        }

        private StuckCall snapshot() {
            return new StuckCall(
                    function, what, Optional.ofNullable(core), since(), thread, List.of(thread.getStackTrace()));
        }
    }

    public CallsInFlight(Duration limit, RuntimeObserver observer) {
        this.limit = limit.toNanos();
        this.observer = observer;
        this.watchdog = new Thread(this::watch, "neuron-test-runtime-watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
    }

    /** Runs a call and returns its status. It notifies the observer of a failure. */
    public int during(String function, String what, @Nullable NeuronCore core, IntSupplier body) {
        Call call = new Call(function, what, core);
        calls.add(call);
        try {
            int returned = body.getAsInt();
            RuntimeStatus status = RuntimeStatus.of(returned);
            if (status.isFailure() && core != null) {
                RuntimeLine failed =
                        RuntimeLine.of("%s of %s".formatted(function, what), status, Stage.ofFunction(function));
                notifyObserver(() -> observer.failed(core, failed));
            }
            return returned;
        } finally {
            calls.remove(call);
            notifyReturned(call);
        }
    }

    private void notifyReturned(Call call) {
        StuckCall stuck;
        synchronized (call) {
            stuck = call.stuck;
        }
        if (stuck != null) {
            notifyObserver(() -> observer.returned(stuck, call.since()));
        }
    }

    private static void notifyObserver(Runnable notification) {
        try {
            notification.run();
        } catch (RuntimeException failed) {
            LOG.log(System.Logger.Level.WARNING, "An observer of the runtime failed", failed);
        }
    }

    /** Returns the running calls. */
    public List<StuckCall> now() {
        return calls.stream().map(Call::snapshot).toList();
    }

    /** Returns the run time of the oldest call; zero when there is none. */
    public Duration longest() {
        return calls.stream().map(Call::since).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    private void watch() {
        long round = Math.min(LONGEST_ROUND, Math.max(SHORTEST_ROUND, limit / 10));
        while (!closed) {
            LockSupport.parkNanos(round);
            calls.forEach(this::checkDuration);
        }
    }

    private void checkDuration(Call call) {
        StuckCall stuck;
        synchronized (call) {
            if (call.stuck != null || System.nanoTime() - call.started < limit || !calls.contains(call)) {
                return;
            }
            stuck = call.snapshot();
            call.stuck = stuck;
        }
        notifyObserver(() -> observer.stuck(stuck));
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(watchdog);
    }
}
