package dev.neurontest.fake.internal.driver.instance;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The first three numbers of the driver's version. They determine its behavior; the fourth number only counts builds.
 *
 * @param major a number such as 2
 * @param minor a number such as 30
 * @param patch a number such as 2
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DriverRelease(int major, int minor, int patch) implements Comparable<DriverRelease> {

    private static final Pattern VERSION = Pattern.compile("([0-9]{1,6})\\.([0-9]{1,6})\\.([0-9]{1,6})(\\..*)?");

    /**
     * Parses a version.
     *
     * @param version the content of {@code /sys/module/neuron/version}, without the newline
     * @return empty for a version without such numbers, such as {@code 2.x.7693.0}
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

    /** Returns whether this release is the same as another or later. */
    public boolean atLeast(DriverRelease other) {
        return compareTo(other) >= 0;
    }

    @Override
    public String toString() {
        return major + "." + minor + '.' + patch;
    }

    @Override
    public int compareTo(DriverRelease other) {
        return Arrays.compare(new int[] {major, minor, patch}, new int[] {other.major, other.minor, other.patch});
    }
}
