package dev.neurontest.internal.host;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * By what the kernel knows a device, whatever its node in {@code /dev} is called.
 *
 * @param major which driver, by a number that the kernel picks when the driver is loaded
 * @param minor which of its devices
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DeviceNumber(int major, int minor) {

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,9}):([0-9]{1,9})");

    /**
     * Reads what sysfs prints in a {@code dev} file.
     *
     * @param text such as {@code 243:0}
     * @return empty where it is something else
     */
    public static Optional<DeviceNumber> parse(String text) {
        Matcher numbers = TEXT.matcher(text.strip());
        return numbers.matches()
                ? Optional.of(new DeviceNumber(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2))))
                : Optional.empty();
    }

    /** Takes the number apart that a node has, as the C library does. */
    static DeviceNumber of(long rdev) {
        return new DeviceNumber(
                (int) ((rdev >>> 8 & 0xfff) | (rdev >>> 32 & ~0xfffL)), (int) ((rdev & 0xff) | (rdev >>> 12 & ~0xffL)));
    }

    @Override
    public String toString() {
        return major + ":" + minor;
    }
}
