package dev.neurontest.internal.configuration;

import org.apiguardian.api.API;

/**
 * The value of a setting and its origin.
 *
 * @param setting the setting
 * @param value the parsed value
 * @param text the text of the value
 * @param origin the place of the text
 * @param name the name of the setting at that place, such as {@code --platform}; empty for the default
 * @param <T> the type of the value
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ConfiguredValue<T>(Setting<T> setting, T value, String text, Origin origin, String name) {

    /**
     * Returns the origin of the value for messages.
     *
     * @return for example {@code from environment variable NEURON_TEST_PLATFORM}, {@code from --platform}, or {@code default}
     */
    public String source() {
        return origin.of(name);
    }

    /**
     * Creates an exception for a value that can be parsed, but cannot be applied here.
     *
     * @param problem the reason, without a full stop
     */
    public BadSettingException refused(String problem) {
        return new BadSettingException(setting, text, origin, name, problem);
    }

    /**
     * Returns the value and its origin for messages.
     *
     * @return for example {@code fake:trn1.2xlarge (from environment variable NEURON_TEST_PLATFORM)}
     */
    @Override
    public String toString() {
        return text + " (" + source() + ")";
    }
}
