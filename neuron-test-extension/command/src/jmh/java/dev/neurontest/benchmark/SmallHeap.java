package dev.neurontest.benchmark;

/**
 * The options for the heap of a benchmark's JVM. They are options of the runner, because JMH ignores those of an
 * annotation if the runner has any.
 */
final class SmallHeap {

    private SmallHeap() {}

    static String option(int megabytes) {
        return "-Xmx%dm".formatted(megabytes);
    }

    /** Verifies that the heap of this JVM has at most the given size. */
    static void require(int megabytes) {
        long most = Runtime.getRuntime().maxMemory() >> 20;
        if (most > megabytes) {
            throw new IllegalStateException(
                    "the heap may grow to %d MiB, and this is measured in %d".formatted(most, megabytes));
        }
    }
}
