package dev.neurontest.process;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Masks tokens by their shapes, whatever is before them. The prefix that names their service stays: {@code ghp_***}. The shapes
 * are in {@code token-shapes.txt}.
 */
final class TokenShapes {

    /** A prefix and what follows it. */
    private record Shape(String prefix, Pattern rest) {}

    private static final Map<String, String> CHARACTERS = Map.of(
            "hex", "[0-9a-f]",
            "upper", "[0-9A-Z]",
            "alnum", "[0-9A-Za-z]",
            "word", "\\w",
            "dash", "[\\w-]",
            "dots", "[\\w.-]",
            "base64", "[0-9A-Za-z+/=]");

    /** Bounds the search in a long line of prefixes. */
    private static final int MIXED_WITHIN = 64;

    /** Shapes by the first character of their prefix. */
    private static final Map<Character, List<Shape>> SHAPES = Redaction.table("token-shapes.txt").stream()
            .map(row -> new Shape(row.get(0), rest(row.get(1), Integer.parseInt(row.get(2)), row.size() > 3)))
            .collect(Collectors.groupingBy(shape -> shape.prefix().charAt(0)));

    /** All of it up to the end is one token, however many parts it has. */
    private static final Pattern JWT =
            Pattern.compile("(?:(?<![\\w-])|(?<=\\\\[nrt]))eyJ[\\w-]{8,}+\\.eyJ[\\w-]{4,}+(?:\\.[\\w-]*+){0,3}+");

    private static final Pattern BEARER = Pattern.compile("(?i)\\b(Bearer)[ \\t]++[\\w.~+/=-]{16,}+");
    private static final Pattern BASIC = Pattern.compile("\\b([Bb]asic[ \\t]{1,4})([A-Za-z0-9+/]{6,}+={0,2}+)");

    private TokenShapes() {}

    private static Pattern rest(String characters, int least, boolean mixed) {
        String all = CHARACTERS.get(characters);
        String within = "(?=" + all + "{0," + (least + MIXED_WITHIN) + "}?";
        // A full stop ends the sentence, not the token.
        String last = characters.equals("dots") ? "{" + least + ",}(?<!\\.)" : "{" + least + ",}+";
        return Pattern.compile((mixed ? within + "[A-Z])" + within + "[0-9])" : "") + all + last + "(?![0-9A-Za-z])");
    }

    static String mask(String line) {
        String masked = masked(line);
        masked = masked.contains("eyJ") ? JWT.matcher(masked).replaceAll("eyJ" + Redaction.MASK) : masked;
        masked = masked.contains("earer") || masked.contains("EARER")
                ? BEARER.matcher(masked).replaceAll("$1 " + Redaction.MASK)
                : masked;
        return !masked.contains("asic ")
                ? masked
                : BASIC.matcher(masked)
                        .replaceAll(basic -> Matcher.quoteReplacement(
                                isUserAndPassword(basic.group(2)) ? basic.group(1) + Redaction.MASK : basic.group()));
    }

    private static String masked(String line) {
        StringBuilder masked = null;
        boolean escapes = line.indexOf('\\') >= 0 || line.indexOf('%') >= 0;
        boolean inWord = false;
        int done = 0;
        for (int at = 0; at < line.length(); at++) {
            char first = line.charAt(at);
            boolean within = inWord;
            inWord = isLetterOrDigit(first) || first == '-';
            if (!inWord || within && !(escapes && isAfterEscape(line, at))) {
                continue;
            }
            for (Shape shape : SHAPES.getOrDefault(first, List.of())) {
                Matcher rest = shape.rest().matcher(line);
                if (line.startsWith(shape.prefix(), at)
                        && rest.region(at + shape.prefix().length(), line.length())
                                .lookingAt()) {
                    masked = masked == null ? new StringBuilder(line.length()) : masked;
                    masked.append(line, done, rest.regionStart()).append(Redaction.MASK);
                    done = rest.end();
                    at = done - 1;
                    break;
                }
            }
        }
        return masked == null ? line : masked.append(line, done, line.length()).toString();
    }

    /** A token may follow an escape: <code>&#92;n</code>, <code>&#92;u003d</code>, {@code %3D}. */
    private static boolean isAfterEscape(String line, int at) {
        return at >= 2 && line.charAt(at - 2) == '\\'
                || at >= 3 && line.charAt(at - 3) == '%'
                || line.startsWith("\\u00", at - 6);
    }

    private static boolean isLetterOrDigit(char character) {
        return character >= 'a' && character <= 'z'
                || character >= 'A' && character <= 'Z'
                || character >= '0' && character <= '9';
    }

    /** The word "Basic" has other uses. */
    private static boolean isUserAndPassword(String text) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            return new String(bytes, StandardCharsets.ISO_8859_1).indexOf(':') > 0;
        } catch (IllegalArgumentException noBase64) {
            return false;
        }
    }
}
