package dev.neurontest.conformance;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The formats of the facts, which are written for people. */
final class Formats {

    private static final Map<String, Pattern> KNOWN = new ConcurrentHashMap<>();

    private Formats() {}

    static Pattern of(String format) {
        return KNOWN.computeIfAbsent(format, unknown -> Pattern.compile(expression(unknown)));
    }

    private static String expression(String format) {
        return switch (format) {
            case "%d" -> "[0-9]+";
            case "%d\\n" -> "[012]\n";
            case "%u\\n", "%llu\\n" -> "(0|[1-9][0-9]{0,19})\n";
            case "%s\\n" -> "[A-Za-z0-9]+\n";
            case "%016llx\\n | \\n" -> "([0-9a-f]{16})?\n";
            case "0\\n | -1\\n" -> "(0|-1)\n";
            case "%u\\n or busy\\n" -> "([0-9]+|busy)\n";
            case "%u\\n | device_unreachable\\n" -> "([0-9]+|device_unreachable)\n";
            case "comma list\\n | \\n | device_unreachable\\n" -> "([a-z_]+(,[a-z_]+)*)?\n";
            case "ids joined with comma+space, then \\n" -> "([0-9]+(, [0-9]+)*)?\n";
            case "die,util_bips,counter\\n then one row per die" ->
                "die,util_bips,counter\n([0-9]+,([0-9]+,[0-9]+|unavailable|read_error|bogus\\([0-9]+\\),[0-9]+)\n){1,2}";
            case "<STATUS>,<epoch seconds>,<min>,<max>,<avg>\\n (two decimals, percent)" ->
                "POWER_STATUS_(VALID|NO_DATA|INVALID|MAX),[0-9]+(,[0-9]{1,3}\\.[0-9]{2}){3}\n";
            case "xrow_grp,mm_active,wl_active,idle\\n then 4 rows of row,%llu,%llu,%llu\\n" ->
                "xrow_grp,mm_active,wl_active,idle\n(0(,[0-9]+){3}\n)(1(,[0-9]+){3}\n)(2(,[0-9]+){3}\n)(3(,[0-9]+){3}\n)";
            default -> throw new IllegalArgumentException("no expression for the format " + format);
        };
    }
}
