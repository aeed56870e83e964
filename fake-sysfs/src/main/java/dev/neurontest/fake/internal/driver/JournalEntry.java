package dev.neurontest.fake.internal.driver;

import java.time.Instant;
import org.apiguardian.api.API;

/**
 * One change of the state.
 *
 * @param time the time, by the host's clock
 * @param what a description of the change. Its text is one line, which is created only when it is read, to keep changes fast.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record JournalEntry(Instant time, Object what) {

    /** Returns text such as {@code 2026-11-21T09:00:00Z neuron0/neuron_core1 hw_error up: total 1, present 1}. */
    @Override
    public String toString() {
        return time + " " + what;
    }
}
