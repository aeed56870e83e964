package dev.neurontest.fake.profiler.call;

import org.apiguardian.api.API;

/** Durations such as {@code 17ms}, {@code 26.4us} or {@code 26416626ps}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Picoseconds {

    private static final String[] UNITS = {"ps", "ns", "us", "ms", "s"};

    private Picoseconds() {}

    /**
     * Reads a duration.
     *
     * @param text a number with a unit, such as {@code 20ns}
     * @return picoseconds
     */
    public static long parse(String text) {
        long unit = 1;
        for (String name : UNITS) {
            if (text.endsWith(name) && Character.isDigit(text.charAt(text.length() - name.length() - 1))) {
                return Math.round(Double.parseDouble(text.substring(0, text.length() - name.length())) * unit);
            }
            unit *= 1000;
        }
        throw new NumberFormatException(text);
    }

    /**
     * Converts a duration.
     *
     * @param picoseconds of it
     * @return seconds
     */
    public static double seconds(long picoseconds) {
        return picoseconds / 1e12;
    }
}
