package dev.neurontest.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks tokens by their shapes, whatever is before them. The prefix that names their service stays: {@code ghp_***}. The shapes
 * are in {@code token-shapes.txt}.
 */
final class TokenShapes {

    /**
     * A prefix and what follows it.
     *
     * @param least the least number of characters after the prefix
     * @param mixed whether a capital and a digit must be among these
     */
    private record Shape(String prefix, String characters, int least, boolean mixed) {}

    /** Bounds the search in a long line of prefixes. */
    private static final int MIXED_WITHIN = 64;

    /** Shapes by the first character of their prefix. */
    private static final Shape[][] SHAPES = read();
    /** All of it up to the end is one token, however many parts it has. */
    private static final Pattern JWT =
            Pattern.compile("(?:(?<![\\w-])|(?<=\\\\[nrt]))eyJ[\\w-]{8,}+\\.eyJ[\\w-]{4,}+(?:\\.[\\w-]*+){0,3}+");

    private static final Pattern BEARER = Pattern.compile("(?i)\\b(Bearer)[ \\t]++[\\w.~+/=-]{16,}+");
    private static final Pattern BASIC = Pattern.compile("\\b([Bb]asic[ \\t]{1,4})([A-Za-z0-9+/]{6,}+={0,2}+)");

    private TokenShapes() {}

    private static Shape[][] read() {
        List<List<Shape>> shapes = new ArrayList<>();
        for (int first = 0; first < 128; first++) {
            shapes.add(new ArrayList<>());
        }
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                TokenShapes.class.getResourceAsStream("token-shapes.txt"), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isEmpty() && line.charAt(0) != '#') {
                    String[] columns = line.split(" ");
                    shapes.get(line.charAt(0))
                            .add(new Shape(columns[0], columns[1], Integer.parseInt(columns[2]), columns.length > 3));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return shapes.stream().map(all -> all.toArray(new Shape[0])).toArray(Shape[][]::new);
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
            for (Shape shape : SHAPES[first]) {
                int end = end(shape, line, at);
                if (end > 0) {
                    masked = masked == null ? new StringBuilder(line.length()) : masked;
                    masked.append(line, done, at).append(shape.prefix).append(Redaction.MASK);
                    done = end;
                    at = end - 1;
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

    /** Returns the end of a token of this shape, or 0. */
    private static int end(Shape shape, String line, int start) {
        if (!line.startsWith(shape.prefix, start)) {
            return 0;
        }
        int end = start + shape.prefix.length();
        int least = end + shape.least;
        boolean capital = !shape.mixed;
        boolean digit = !shape.mixed;
        while (end < line.length() && isOf(shape.characters, line.charAt(end))) {
            capital |= Character.isUpperCase(line.charAt(end));
            digit |= Character.isDigit(line.charAt(end));
            end++;
            if (end > least + MIXED_WITHIN && !(capital && digit)) {
                return 0;
            }
        }
        // A full stop ends the sentence, not the token.
        end -= end > least && line.charAt(end - 1) == '.' ? 1 : 0;
        boolean whole = end == line.length() || !isLetterOrDigit(line.charAt(end));
        return whole && end >= least && capital && digit ? end : 0;
    }

    private static boolean isOf(String characters, char character) {
        return switch (characters) {
            case "hex" -> character >= '0' && character <= '9' || character >= 'a' && character <= 'f';
            case "upper" -> character >= '0' && character <= '9' || character >= 'A' && character <= 'Z';
            case "alnum" -> isLetterOrDigit(character);
            case "word" -> isLetterOrDigit(character) || character == '_';
            case "dash" -> isLetterOrDigit(character) || character == '_' || character == '-';
            case "dots" -> isLetterOrDigit(character) || "_-.".indexOf(character) >= 0;
            default -> isLetterOrDigit(character) || "+/=".indexOf(character) >= 0;
        };
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
