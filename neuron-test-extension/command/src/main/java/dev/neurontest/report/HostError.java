package dev.neurontest.report;

import org.apiguardian.api.API;

/**
 * An error counter of a host that moved between the start and the end of the run.
 *
 * @param host whose
 * @param counter its place and name, such as {@code neuron3 hardware/mem_ecc_uncorrected}
 * @param before at the start; 0 for one that began again in between
 * @param after at the end
 * @param delta how often it counted; more than the difference where it wrapped
 * @param explained how much of it tests of the run answer for: they failed because of it, or allow it
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HostError(String host, String counter, long before, long after, long delta, long explained) {

    /**
     * What no test answers for.
     *
     * @return how often it moved without a test
     */
    public long unexplained() {
        return Math.max(0, delta - explained);
    }

    /**
     * Returns the same error with how much of it tests answer for.
     *
     * @param answered how often it counted in tests that failed because of it, or allow it
     * @return the error
     */
    public HostError explained(long answered) {
        return new HostError(host, counter, before, after, delta, answered);
    }

    /**
     * Returns the name that recordings of tests use.
     *
     * @return the counter without what it holds
     */
    public String key() {
        int value = counter.indexOf(" (");
        return value < 0 ? counter : counter.substring(0, value);
    }
}
