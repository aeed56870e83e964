package dev.neurontest.internal.runtime.watch;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.text.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A call of the runtime that did not return in time. It cannot be interrupted. Either it returns after {@code NEURON_RT_EXEC_TIMEOUT}, or
 * it ends with this process.
 *
 * @param function such as {@code nrt_execute}
 * @param what main argument, such as {@code matmul.neff}
 * @param core core of the call; empty when it concerns all cores
 * @param since duration so far
 * @param thread calling thread
 * @param stack stack of that thread
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record StuckCall(
        String function,
        String what,
        Optional<NeuronCore> core,
        Duration since,
        Thread thread,
        List<StackTraceElement> stack) {

    private static final int SHOWN_FRAMES = 12;

    /** Creates a stuck call with its own copy of the stack. */
    public StuckCall {
        stack = List.copyOf(stack);
    }

    /**
     * Returns a description for human readers.
     *
     * @return a sentence, advice, and the first lines of the stack
     */
    public String text() {
        StringBuilder text = new StringBuilder("%s of %s has not returned for %s, called by thread \"%s\". "
                .formatted(function, placed(what, core), DurationText.exact(since), thread.getName()));
        text.append("It cannot be interrupted: it ends after NEURON_RT_EXEC_TIMEOUT, or with this process.");
        stack.stream()
                .limit(SHOWN_FRAMES)
                .forEach(frame -> text.append("\n    at ").append(frame));
        return text.toString();
    }

    public static String placed(String what, Optional<NeuronCore> core) {
        return core.map(on -> what + " on " + on.name()).orElse(what);
    }
}
