package dev.neurontest.fake.internal.driver;

import java.time.Instant;
import org.apiguardian.api.API;

/**
 * One change of the state.
 *
 * @param time when, by the host's clock
 * @param what what happened; one line when it is put into words, which changing the state does not wait for
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record JournalEntry(Instant time, Object what) {

    /** Such as {@code 2026-11-21T09:00:00Z neuron0/neuron_core1 hw_error up: total 1, present 1}. */
    @Override
    public String toString() {
        return time + " " + what;
    }
}
