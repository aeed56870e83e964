package dev.neurontest.internal.process;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;

/**
 * A filter that masks tokens by their shapes, regardless of the text before them. The prefix, which identifies the service, stays:
 * {@code ghp_***}. The shapes are in {@code token-shapes.txt}.
 */
final class TokenShapes {

    /** The shapes by the first character of their prefix. */
    private static final Map<Character, List<String[]>> SHAPES = new HashMap<>();

    static {
        for (String[] row : Redaction.table("token-shapes.txt")) {
            SHAPES.putIfAbsent(row[0].charAt(0), new ArrayList<>());
            SHAPES.get(row[0].charAt(0)).add(row);
        }
    }

    private static final String BEARER = "(?i)\\b(Bearer)[ \\t]++[\\w.~+/=-]{16,}+";
    private static final String BASIC = "\\b([Bb]asic[ \\t]{1,4})([A-Za-z0-9+/]{6,}+={0,2}+)";

    private TokenShapes() {}

    static String mask(String line) {
        String masked = masked(line);
        masked = masked.contains("earer") || masked.contains("EARER")
                ? Redaction.pattern(BEARER).matcher(masked).replaceAll("$1 " + Redaction.MASK)
                : masked;
        return !masked.contains("asic ")
                ? masked
                : Redaction.pattern(BASIC)
                        .matcher(masked)
                        .replaceAll(basic -> Matcher.quoteReplacement(
                                isUserAndPassword(basic.group(2)) ? basic.group(1) + Redaction.MASK : basic.group()));
    }

    private static String masked(String line) {
        StringBuilder masked = new StringBuilder();
        boolean escapes = line.indexOf('\\') >= 0 || line.indexOf('%') >= 0;
        boolean inWord = false;
        int done = 0;
        for (int at = 0; at < line.length(); at++) {
            char first = line.charAt(at);
            boolean within = inWord;
            inWord = first < 128 && Character.isLetterOrDigit(first) || first == '-';
            if (!inWord || within && !(escapes && isAfterEscape(line, at))) {
                continue;
            }
            for (String[] shape : SHAPES.getOrDefault(first, List.of())) {
                if (line.startsWith(shape[0], at)) {
                    Matcher remainder = Redaction.pattern(shape[1] + "(?![0-9A-Za-z])")
                            .matcher(line)
                            .region(at + shape[0].length(), line.length());
                    if (remainder.lookingAt()) {
                        masked.append(line, done, remainder.regionStart()).append(Redaction.MASK);
                        done = remainder.end();
                        at = done - 1;
                        break;
                    }
                }
            }
        }
        return done == 0 ? line : masked.append(line, done, line.length()).toString();
    }

    /** Checks for an escape before a token: <code>&#92;n</code>, <code>&#92;u003d</code>, {@code %3D}. */
    private static boolean isAfterEscape(String line, int at) {
        return at >= 2 && line.charAt(at - 2) == '\\'
                || at >= 3 && line.charAt(at - 3) == '%'
                || line.startsWith("\\u00", at - 6);
    }

    /** Checks whether a text is an encoded user and password. The word "Basic" has other uses. */
    private static boolean isUserAndPassword(String text) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            return new String(bytes, StandardCharsets.ISO_8859_1).indexOf(':') > 0;
        } catch (IllegalArgumentException noBase64) {
            return false;
        }
    }
}
