package dev.neurontest.profile.capture;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Which executions a capture traces: every {@code nth} of {@code executions}, of which the first {@code warmup} are for warming
 * up and not looked at.
 */
record TracePlan(int executions, int nth, int warmup) {

    /** The first execution carries start-up, so that the second is traced. */
    static final TracePlan SECOND = new TracePlan(2, 2, 0);

    TracePlan {
        if (nth < 1 || executions < nth || warmup < 0 || warmup >= executions) {
            throw new IllegalArgumentException(
                    "Of %s executions every %sth behind %s for warm-up is none: let there be more executions, and trace at least one of them."
                            .formatted(executions, nth, warmup));
        }
    }

    /** Where one is measured only that one is traced; else the tool can only trace those for warm-up too. */
    static TracePlan measured(int warmup, int measured) {
        return measured == 1 ? new TracePlan(warmup + 1, warmup + 1, 0) : new TracePlan(warmup + measured, 1, warmup);
    }

    /** Those that are looked at, from 1. */
    List<Integer> wanted() {
        return IntStream.rangeClosed(1, executions)
                .filter(index -> index % nth == 0 && index > warmup)
                .boxed()
                .toList();
    }

    List<String> flags() {
        return List.of("--num-exec", Integer.toString(executions), "--profile-nth-exec", Integer.toString(nth));
    }
}
