package dev.neurontest.internal.participant.runtime;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.runtime.watch.RuntimeObserver;
import dev.neurontest.internal.runtime.watch.StuckCall;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.runtime.RuntimeLine;
import dev.neurontest.runtime.RuntimeReport;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * A collector of the failed calls of the runtime in this JVM. Stuck calls are printed when they are detected, because they cannot be
 * interrupted.
 */
final class RuntimeFailures implements RuntimeObserver {

    private final Consumer<String> notices;
    private final Queue<FailedCall> failures = new ConcurrentLinkedQueue<>();

    /** A call that failed on a core. */
    private record FailedCall(NeuronCore core, RuntimeLine line) {}

    RuntimeFailures(Consumer<String> notices) {
        this.notices = notices;
    }

    @Override
    public void stuck(StuckCall call) {
        notices.accept(call.text());
    }

    @Override
    public void failed(NeuronCore core, RuntimeLine call) {
        failures.add(new FailedCall(core, call));
    }

    @Override
    public void returned(StuckCall call, Duration after) {
        notices.accept(
                "%s of %s returned after %s.".formatted(call.function(), call.what(), DurationText.exact(after)));
    }

    /** Removes and returns the failures of a core, in order. */
    RuntimeReport take(NeuronCore core) {
        List<FailedCall> taken =
                failures.stream().filter(failed -> failed.core().equals(core)).toList();
        failures.removeAll(taken);
        return new RuntimeReport(taken.stream().map(FailedCall::line).toList(), dgeNotifications());
    }

    /** Checks whether the environment of this JVM, which its runtime reads too, enables DGE notifications. */
    private static boolean dgeNotifications() {
        return "1".equals(System.getenv("NEURON_RT_ENABLE_DGE_NOTIFICATIONS"));
    }
}
