package dev.neurontest.report;

import org.apiguardian.api.API;

/**
 * An error counter of a host that moved between the start and the end of the run.
 *
 * @param host whose
 * @param counter its place and name, such as {@code neuron3 hardware/mem_ecc_uncorrected}
 * @param before at the start
 * @param after at the end
 * @param explained how much of it tests of the run saw in their own recordings, and were judged for
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HostError(String host, String counter, long before, long after, long explained) {

    /**
     * What no test answers for.
     *
     * @return how often it moved without a test
     */
    public long unexplained() {
        return Math.max(0, after - before - explained);
    }
}
