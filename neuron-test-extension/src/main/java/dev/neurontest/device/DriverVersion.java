package dev.neurontest.device;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The version of the neuron kernel module, from {@code sys/module/neuron/version}.
 *
 * @param text as the module prints it, such as {@code 2.24.7.0}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DriverVersion(String text) {

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})(?:[.\\-+~].*)?");

    /**
     * Whether it can be compared.
     *
     * @return false for a text that does not begin with two numbers
     */
    public boolean known() {
        return NUMBERS.matcher(text).matches();
    }

    /**
     * Whether it is this version or a later one.
     *
     * @param major the first number
     * @param minor the second number
     * @return false too when the version is not {@link #known()}
     */
    public boolean atLeast(int major, int minor) {
        Matcher numbers = NUMBERS.matcher(text);
        if (!numbers.matches()) {
            return false;
        }
        int own = Integer.parseInt(numbers.group(1));
        return own > major || own == major && Integer.parseInt(numbers.group(2)) >= minor;
    }

    @Override
    public String toString() {
        return text;
    }
}
