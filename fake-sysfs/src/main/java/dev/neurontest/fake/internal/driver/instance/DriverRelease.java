package dev.neurontest.fake.internal.driver.instance;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The first three numbers of the driver's version, which say what it does; the fourth says how often it was built.
 *
 * @param major such as 2
 * @param minor such as 30
 * @param patch such as 2
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DriverRelease(int major, int minor, int patch) implements Comparable<DriverRelease> {

    private static final Pattern VERSION = Pattern.compile("([0-9]{1,6})\\.([0-9]{1,6})\\.([0-9]{1,6})(\\..*)?");

    /**
     * Reads a version.
     *
     * @param version what {@code /sys/module/neuron/version} prints, without the newline
     * @return empty for one that has no such numbers, such as {@code 2.x.7693.0}
     */
    public static Optional<DriverRelease> of(String version) {
        Matcher numbers = VERSION.matcher(version);
        return numbers.matches()
                ? Optional.of(new DriverRelease(number(numbers, 1), number(numbers, 2), number(numbers, 3)))
                : Optional.empty();
    }

    private static int number(Matcher numbers, int group) {
        return Integer.parseInt(numbers.group(group));
    }

    /**
     * Whether it has what another one brought.
     *
     * @param other the other release
     * @return true for the same one and for later ones
     */
    public boolean atLeast(DriverRelease other) {
        return compareTo(other) >= 0;
    }

    @Override
    public int compareTo(DriverRelease other) {
        return Arrays.compare(new int[] {major, minor, patch}, new int[] {other.major, other.minor, other.patch});
    }
}
