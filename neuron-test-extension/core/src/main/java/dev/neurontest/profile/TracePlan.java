package dev.neurontest.profile;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The executions that a capture traces.
 *
 * @param warmup executions that come first and are not looked at; the first one carries start-up
 * @param measured executions behind them
 */
record TracePlan(int warmup, int measured) {

    TracePlan {
        if (warmup < 0 || measured < 1) {
            throw new IllegalArgumentException(
                    "Of %s executions behind %s for warm-up none is traced: let warmup be 0 or more, and measured 1 or more."
                            .formatted(measured, warmup));
        }
    }

    /** Returns those that are looked at, from 1. */
    List<Integer> wanted() {
        return IntStream.rangeClosed(warmup + 1, warmup + measured).boxed().toList();
    }

    /** Returns flags that trace a single one alone; of several, the tool can only trace those for warm-up too. */
    List<String> flags() {
        return List.of(
                "--num-exec",
                Integer.toString(warmup + measured),
                "--profile-nth-exec",
                Integer.toString(measured == 1 ? warmup + 1 : 1));
    }
}
