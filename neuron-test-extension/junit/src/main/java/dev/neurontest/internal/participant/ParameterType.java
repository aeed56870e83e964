package dev.neurontest.internal.participant;

import java.lang.reflect.Parameter;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apiguardian.api.API;

/**
 * A type of parameter that tests can take, and the participant that provides its value.
 *
 * @param <P> the participant
 * @param type the declared type of the parameter
 * @param provider the class of the participant
 * @param unavailable the message for a test or class without that participant, or without a value
 * @param value returns the value of a parameter; empty without one
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ParameterType<P extends Participant>(
        Class<?> type, Class<P> provider, String unavailable, BiFunction<P, Parameter, Optional<?>> value) {

    /** Returns the value of a parameter; empty if no participant provides it. */
    public Optional<Object> of(Collection<? extends Participant> participants, Parameter parameter) {
        return participants.stream()
                .filter(provider::isInstance)
                .map(provider::cast)
                .findFirst()
                .flatMap(each -> value.apply(each, parameter));
    }
}
