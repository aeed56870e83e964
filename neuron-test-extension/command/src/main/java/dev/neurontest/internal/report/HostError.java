package dev.neurontest.internal.report;

import org.apiguardian.api.API;

/**
 * An error counter of a host that changed between the start and the end of the run.
 *
 * @param host host of the counter
 * @param counter place and name, such as {@code neuron3 hardware/mem_ecc_uncorrected}
 * @param before value at the start
 * @param after value at the end
 * @param change number of counted errors, in the words of a test's failure
 * @param delta number of counted errors; more than the difference where the counter wrapped
 * @param explained part that tests of the run explain: they failed because of it, or allow it
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HostError(
        String host, String counter, long before, long after, String change, long delta, long explained) {

    /** Returns the number of errors that no test explains. */
    public long unexplained() {
        return Math.max(0, delta - explained);
    }

    /** Returns the error as a sentence without a full stop. */
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
                                ? "and the meaning of the decrease is unknown"
                                : unexplained() == 0
                                        ? "tests explain all of it"
                                        : "no test explains %s of it".formatted(unexplained()));
    }
}
