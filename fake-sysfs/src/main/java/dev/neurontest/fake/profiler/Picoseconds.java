package dev.neurontest.fake.profiler;

/** Durations such as {@code 17ms}, {@code 26.4us} or {@code 26416626ps}. */
final class Picoseconds {

    private static final String[] UNITS = {"ps", "ns", "us", "ms", "s"};

    private Picoseconds() {}

    static long parse(String text) {
        long unit = 1;
        for (String name : UNITS) {
            if (text.endsWith(name) && Character.isDigit(text.charAt(text.length() - name.length() - 1))) {
                return Math.round(Double.parseDouble(text.substring(0, text.length() - name.length())) * unit);
            }
            unit *= 1000;
        }
        throw new NumberFormatException(text);
    }

    static double seconds(long picoseconds) {
        return picoseconds / 1e12;
    }
}
