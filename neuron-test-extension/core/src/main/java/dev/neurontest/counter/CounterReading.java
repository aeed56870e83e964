package dev.neurontest.counter;

import dev.neurontest.host.NeuronSysfsException;
import java.math.BigInteger;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What one counter file gave: a value, a failure, or neither where the host has no such file. Absent is not zero.
 *
 * @param value the unsigned 64-bit number that the file held
 * @param failure why there is no number although there should be one; names the file and its content
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CounterReading(Optional<BigInteger> value, Optional<NeuronSysfsException> failure) {

    static final CounterReading ABSENT = new CounterReading(Optional.empty(), Optional.empty());

    /**
     * Whether the host has no such counter.
     *
     * @return true also for a counter that this snapshot does not look at
     */
    public boolean isAbsent() {
        return value.isEmpty() && failure.isEmpty();
    }
}
