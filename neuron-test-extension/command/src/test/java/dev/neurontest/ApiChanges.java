package dev.neurontest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The differences between two lists of the API in the form of {@code api.txt}, and the text that has to name them. */
final class ApiChanges {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private ApiChanges() {}

    /**
     * Returns the differences that the text does not name. A type is named by its simple name in a code span, a member by a code span with
     * its name and that of its type, such as {@code Type.member}. The members of a new or a removed type need no name.
     */
    static List<String> unnamed(List<String> released, List<String> now, String text) {
        Map<String, List<String>> before = types(released);
        Map<String, List<String>> after = types(now);
        List<String> code = CODE.matcher(text)
                .results()
                .map(MatchResult::group)
                .map(span -> span.replace('$', '.'))
                .toList();
        List<String> unnamed = new ArrayList<>();
        Stream.concat(before.keySet().stream(), after.keySet().stream())
                .distinct()
                .sorted()
                .forEach(type -> {
                    List<String> removed = without(before.getOrDefault(type, List.of()), after.get(type));
                    List<String> added = without(after.getOrDefault(type, List.of()), before.get(type));
                    boolean isWhole = !before.containsKey(type) || !after.containsKey(type);
                    Stream.concat(
                                    removed.stream().map(line -> "- " + line),
                                    added.stream().map(line -> "+ " + line))
                            .filter(line -> !line.startsWith("    ", 2) || !isWhole)
                            .filter(line -> code.stream().noneMatch(span -> names(span, type, line)))
                            .map(line -> type + ": " + line.replaceAll(" +", " "))
                            .forEach(unnamed::add);
                });
        return unnamed;
    }

    private static List<String> without(List<String> lines, List<String> others) {
        return lines.stream()
                .filter(line -> others == null || !others.contains(line))
                .toList();
    }

    /** Returns the lines of each type by its name. A line of a type is "status kind name : supertypes", a line of a member is indented. */
    private static Map<String, List<String>> types(List<String> list) {
        Map<String, List<String>> types = new LinkedHashMap<>();
        List<String> lines = List.of();
        for (String line : list) {
            if (!line.startsWith(" ")) {
                lines = types.computeIfAbsent(line.split(" ")[2], type -> new ArrayList<>());
            }
            lines.add(line);
        }
        return types;
    }

    private static boolean names(String span, String type, String line) {
        String simpleName = type.substring(type.lastIndexOf('.') + 1).replace('$', '.');
        return containsWord(span, simpleName) && (!line.startsWith("    ", 2) || containsWord(span, member(line)));
    }

    private static String member(String line) {
        String declaration = line.replaceFirst("\\(.*", "");
        return declaration.substring(declaration.lastIndexOf(' ') + 1);
    }

    private static boolean containsWord(String text, String word) {
        return Pattern.compile("\\b" + Pattern.quote(word) + "\\b")
                .matcher(text)
                .find();
    }
}
