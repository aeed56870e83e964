package dev.neurontest.internal.report;

import org.apiguardian.api.API;

/**
 * An error counter of a host that moved between the start and the end of the run.
 *
 * @param host whose
 * @param counter its place and name, such as {@code neuron3 hardware/mem_ecc_uncorrected}
 * @param before at the start
 * @param after at the end
 * @param change how often it counted, in the words of a test's failure
 * @param delta how often it counted; more than the difference where it wrapped
 * @param explained how much of it tests of the run answer for: they failed because of it, or allow it
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HostError(
        String host, String counter, long before, long after, String change, long delta, long explained) {

    /**
     * What no test answers for.
     *
     * @return how often it moved without a test
     */
    public long unexplained() {
        return Math.max(0, delta - explained);
    }

    /**
     * Returns the whole of it.
     *
     * @return a sentence without its end
     */
    @Override
    public String toString() {
        return "%s of %s went from %s to %s: %s, %s"
                .formatted(
                        counter,
                        host,
                        Long.toUnsignedString(before),
                        Long.toUnsignedString(after),
                        change,
                        delta < 0
                                ? "and what a fall of it means is not known"
                                : unexplained() == 0
                                        ? "tests answer for all of it"
                                        : "no test answers for %s of it".formatted(unexplained()));
    }
}
