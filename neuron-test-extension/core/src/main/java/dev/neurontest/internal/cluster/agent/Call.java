package dev.neurontest.internal.cluster.agent;

import java.time.Duration;

/**
 * A call of a test JVM to an agent. A call is a record that is sent as JSON and executed by the agent.
 *
 * @param <R> the type of the answer
 */
interface Call<R extends Record> {

    /** An answer without content. */
    record Done() {}

    /** Returns the type of the answer. */
    Class<R> answer();

    /** Returns the longest time until the answer. After it, the host counts as lost. */
    default Duration answersWithin() {
        return Duration.ofMinutes(1);
    }

    /**
     * Executes the call on the host of the agent.
     *
     * @throws Exception to be thrown again by the caller, as far as {@link CallFailure} knows its type
     */
    R on(HostAgent agent) throws Exception;
}
