package dev.neurontest.examples.documentation;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Output as a page shows it: {@code …} matches anything in a line, and a line of {@code ...} matches any lines. */
final class Shown {

    private Shown() {}

    static boolean matches(List<String> shown, String printed) {
        String pattern = trimmed(shown).stream()
                .map(line -> line.strip().equals("...") ? "(?:[^\n]*\n)*?" : inLine(line) + "\n")
                .collect(Collectors.joining());
        return Pattern.matches(
                pattern,
                trimmed(printed.lines().toList()).stream()
                        .map(line -> line + "\n")
                        .collect(Collectors.joining()));
    }

    /** Returns the printed lines, with the lines of the page where those are abbreviated. */
    static List<String> merged(List<String> shown, List<String> printed) {
        List<String> elided = shown.stream().filter(line -> line.contains("…")).toList();
        return printed.stream()
                .map(line -> elided.stream()
                        .filter(known -> matches(List.of(known), line))
                        .findFirst()
                        .orElse(line))
                .toList();
    }

    private static String inLine(String line) {
        return Pattern.compile("…")
                .splitAsStream(line + "\0")
                .map(part ->
                        part.endsWith("\0") ? Pattern.quote(part.substring(0, part.length() - 1)) : Pattern.quote(part))
                .collect(Collectors.joining("[^\n]*"));
    }

    /** Returns the lines without spaces at their ends and without empty lines at both ends, for comparison. */
    static List<String> trimmed(List<String> lines) {
        String text = lines.stream().map(String::stripTrailing).collect(Collectors.joining("\n"));
        return text.replaceFirst("^\n+", "").stripTrailing().lines().toList();
    }
}
