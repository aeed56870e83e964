package dev.neurontest.profile;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The executions that a capture traces.
 *
 * @param warmup number of first executions that are not measured; the first one includes start-up
 * @param measured number of executions after the warm-up
 */
record TracePlan(int warmup, int measured) {

    TracePlan {
        if (warmup < 0 || measured < 1) {
            throw new IllegalArgumentException(
                    "None of %s executions after %s for warm-up would be traced: set warmup to 0 or more, and measured to 1 or more."
                            .formatted(measured, warmup));
        }
    }

    /** Returns the numbers of the measured executions, from 1. */
    List<Integer> measuredExecutions() {
        return IntStream.rangeClosed(warmup + 1, warmup + measured).boxed().toList();
    }

    /** Returns the numbers of all executions, from 1. */
    List<Integer> allExecutions() {
        return IntStream.rangeClosed(1, warmup + measured).boxed().toList();
    }

    /**
     * Returns the flags for the tool. A single execution can be traced alone. For several executions, the tool must trace the warm-up too.
     */
    List<String> flags() {
        return List.of(
                "--num-exec",
                Integer.toString(warmup + measured),
                "--profile-nth-exec",
                Integer.toString(measured == 1 ? warmup + 1 : 1));
    }
}
