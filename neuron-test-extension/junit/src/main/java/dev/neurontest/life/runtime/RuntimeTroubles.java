package dev.neurontest.life.runtime;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.RuntimeStatus;
import dev.neurontest.runtime.watch.RuntimeObserver;
import dev.neurontest.runtime.watch.StuckCall;
import dev.neurontest.text.DurationText;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** What the runtime in this JVM says against its cores. A call that hangs cannot be ended; that it does is known at once. */
final class RuntimeTroubles implements RuntimeObserver {

    private final Consumer<String> notices;
    private final Queue<Trouble> troubles = new ConcurrentLinkedQueue<>();

    /** What makes a core suspect. */
    record Trouble(NeuronCore core, String reason, RuntimeStatus status) {}

    RuntimeTroubles(Consumer<String> notices) {
        this.notices = notices;
    }

    @Override
    public void stuck(StuckCall call) {
        notices.accept(call.text());
    }

    @Override
    public void hardwareFailed(NeuronCore core, String call, RuntimeStatus status) {
        troubles.add(new Trouble(core, "%s got %s".formatted(call, status), status));
    }

    @Override
    public void returned(StuckCall call, Duration after) {
        notices.accept(
                "%s of %s returned after %s.".formatted(call.function(), call.what(), DurationText.exact(after)));
    }

    /** Takes what is known against some cores. */
    List<Trouble> take(Collection<NeuronCore> suspects) {
        List<Trouble> taken = troubles.stream()
                .filter(trouble -> suspects.contains(trouble.core()))
                .toList();
        troubles.removeAll(taken);
        return taken;
    }
}
