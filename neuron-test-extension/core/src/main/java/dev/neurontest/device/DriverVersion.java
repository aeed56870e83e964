package dev.neurontest.device;

import java.util.Arrays;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The version of the neuron kernel module, from {@code sys/module/neuron/version}.
 *
 * @param text as the module prints it, such as {@code 2.24.7.0}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DriverVersion(String text) {

    private static final int COMPARED = 4;
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})(?:[.\\-+~].*)?");

    /**
     * Whether it can be compared.
     *
     * @return false for a text that does not begin with two numbers
     */
    public boolean known() {
        return NUMBERS.matcher(text).matches();
    }

    /** Whether it is this version or a later one, number by number; a number that is not there is 0. */
    boolean atLeast(DriverVersion other) {
        if (!known() || !other.known()) {
            return false;
        }
        return Arrays.compare(numbers(), other.numbers()) >= 0;
    }

    boolean atLeast(String other) {
        return atLeast(new DriverVersion(other));
    }

    /** The numbers that it begins with, always as many. */
    private int[] numbers() {
        int[] numbers = new int[COMPARED];
        String[] parts = text.split("[.\\-+~]", COMPARED + 1);
        for (int i = 0; i < Math.min(parts.length, COMPARED) && parts[i].matches("\\d{1,6}"); i++) {
            numbers[i] = Integer.parseInt(parts[i]);
        }
        return numbers;
    }

    /**
     * Whether it is this version or a later one.
     *
     * @param major the first number
     * @param minor the second number
     * @return false too when the version is not {@link #known()}
     */
    public boolean atLeast(int major, int minor) {
        return atLeast(major + "." + minor);
    }

    @Override
    public String toString() {
        return text;
    }
}
