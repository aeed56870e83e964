package dev.neurontest.device;

import java.util.Arrays;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The version of the neuron kernel module, from {@code sys/module/neuron/version}.
 *
 * @param text text of the file, such as {@code 2.24.7.0}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DriverVersion(String text) {

    private static final int COMPARED = 4;
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})(?:[.\\-+~].*)?");

    /**
     * Returns whether this version can be compared.
     *
     * @return true for a text that begins with two numbers
     */
    public boolean known() {
        return NUMBERS.matcher(text).matches();
    }

    /** Returns whether this version is the given one or a later one, number by number. A missing number counts as 0. */
    boolean atLeast(DriverVersion other) {
        if (!known() || !other.known()) {
            return false;
        }
        return Arrays.compare(numbers(), other.numbers()) >= 0;
    }

    boolean atLeast(String other) {
        return atLeast(new DriverVersion(other));
    }

    /** Returns the leading numbers of the version, always four. */
    private int[] numbers() {
        int[] numbers = new int[COMPARED];
        String[] parts = text.split("[.\\-+~]", COMPARED + 1);
        for (int i = 0; i < Math.min(parts.length, COMPARED) && parts[i].matches("\\d{1,6}"); i++) {
            numbers[i] = Integer.parseInt(parts[i]);
        }
        return numbers;
    }

    /**
     * Returns whether this version is the given one or a later one.
     *
     * @param major the first number
     * @param minor the second number
     * @return true if it is; false too when the version is not {@link #known()}
     */
    public boolean atLeast(int major, int minor) {
        return atLeast(major + "." + minor);
    }

    @Override
    public String toString() {
        return text;
    }
}
