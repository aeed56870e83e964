package dev.neurontest.internal.host;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The number of a device in the kernel, independent of the name of its node in {@code /dev}.
 *
 * @param major number of the driver, chosen by the kernel when the driver is loaded
 * @param minor number of the device
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record DeviceNumber(int major, int minor) {

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,9}):([0-9]{1,9})");

    /**
     * Parses the content of a {@code dev} file in sysfs.
     *
     * @param text such as {@code 243:0}
     * @return the number; empty for other content
     */
    public static Optional<DeviceNumber> parse(String text) {
        Matcher numbers = TEXT.matcher(text.strip());
        return numbers.matches()
                ? Optional.of(new DeviceNumber(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2))))
                : Optional.empty();
    }

    /** Decodes the combined number of a node in the same way as the C library. */
    static DeviceNumber of(long rdev) {
        return new DeviceNumber(
                (int) ((rdev >>> 8 & 0xfff) | (rdev >>> 32 & ~0xfffL)), (int) ((rdev & 0xff) | (rdev >>> 12 & ~0xffL)));
    }

    @Override
    public String toString() {
        return major + ":" + minor;
    }
}
