package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/**
 * The value of a setting, and where it came from.
 *
 * @param setting which one
 * @param value what it means
 * @param text what was written
 * @param origin where it was written
 * @param name what it is called there, such as {@code --platform}; empty for the default
 * @param <T> the type of the value
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ConfiguredValue<T>(Setting<T> setting, T value, String text, Origin origin, String name) {

    /**
     * Where it was written, for messages.
     *
     * @return such as {@code from environment variable NEURON_TEST_PLATFORM}, {@code from --platform}, or {@code default}
     */
    public String source() {
        return origin.of(name);
    }

    /**
     * Refuses a value that can be read, but not be followed here.
     *
     * @param problem what is wrong with it, without a full stop
     * @return to be thrown
     */
    public BadSettingException refused(String problem) {
        return new BadSettingException(setting, text, origin, name, problem);
    }

    /**
     * The value for messages.
     *
     * @return such as {@code fake:trn1.2xlarge (from environment variable NEURON_TEST_PLATFORM)}
     */
    @Override
    public String toString() {
        return text + " (" + source() + ")";
    }
}
