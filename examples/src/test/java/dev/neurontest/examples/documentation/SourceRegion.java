package dev.neurontest.examples.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A file, or its region between {@code tag::name} and {@code end::name}, without common indentation. */
final class SourceRegion {

    private static final Pattern MARK =
            Pattern.compile("\\s*(//|#|<!--|--|/\\*)\\s*(tag|end)::[\\w-]+\\s*(-->|\\*/)?\\s*");

    private SourceRegion() {}

    /**
     * Reads the region.
     *
     * @throws IllegalArgumentException with a reason for the author of the page
     */
    static List<String> read(Path root, String place) {
        String path = place.replaceFirst("#.*", "");
        Path file = root.resolve(path);
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(
                    "there is no file " + path + " (paths are from the root of the repository)");
        }
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (place.contains("#")) {
            lines = between(lines, path, place.substring(place.indexOf('#') + 1));
        }
        return dedented(
                lines.stream().filter(line -> !MARK.matcher(line).matches()).toList());
    }

    private static List<String> between(List<String> lines, String path, String region) {
        List<String> found = new ArrayList<>();
        boolean inside = false;
        boolean seen = false;
        for (String line : lines) {
            if (MARK.matcher(line).matches() && line.matches(".*tag::" + Pattern.quote(region) + "\\b(?!-).*")) {
                inside = true;
                seen = true;
            } else if (MARK.matcher(line).matches() && line.matches(".*end::" + Pattern.quote(region) + "\\b(?!-).*")) {
                inside = false;
            } else if (inside) {
                found.add(line);
            }
        }
        if (!seen) {
            throw new IllegalArgumentException(path + " has no line with tag::" + region);
        }
        if (inside) {
            throw new IllegalArgumentException(path + " has no line with end::" + region);
        }
        return found;
    }

    private static List<String> dedented(List<String> lines) {
        int indent = lines.stream()
                .filter(line -> !line.isBlank())
                .mapToInt(line -> line.length() - line.stripLeading().length())
                .min()
                .orElse(0);
        List<String> result = new ArrayList<>(lines.stream()
                .map(line -> line.isBlank() ? "" : line.substring(indent))
                .toList());
        while (!result.isEmpty() && result.get(0).isEmpty()) {
            result.remove(0);
        }
        while (!result.isEmpty() && result.get(result.size() - 1).isEmpty()) {
            result.remove(result.size() - 1);
        }
        return result;
    }
}
