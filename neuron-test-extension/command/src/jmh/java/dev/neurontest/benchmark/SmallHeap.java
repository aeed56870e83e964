package dev.neurontest.benchmark;

/**
 * The heap of a JVM that a benchmark starts. It is given to the runner: JMH drops an annotation's options where the runner has any, and
 * then passes on those of the JVM that it runs in.
 */
final class SmallHeap {

    private SmallHeap() {}

    static String option(int megabytes) {
        return "-Xmx%dm".formatted(megabytes);
    }

    /** A measurement in a larger heap says nothing of a small one. */
    static void require(int megabytes) {
        long most = Runtime.getRuntime().maxMemory() >> 20;
        if (most > megabytes) {
            throw new IllegalStateException(
                    "the heap may grow to %d MiB, and this is measured in %d".formatted(most, megabytes));
        }
    }
}
