package dev.neurontest.examples.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The main sources: the Java files of the fake and of the extension, without tests. */
final class MainCode {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> MODULES = List.of(
            "fake-sysfs",
            "neuron-test-extension/core",
            "neuron-test-extension/junit",
            "neuron-test-extension/command",
            "neuron-test-extension/maven-plugin");

    private MainCode() {}

    /** Returns the text of each file by its path. */
    static Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        for (String module : MODULES) {
            try (Stream<Path> found = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                for (Path file :
                        found.filter(path -> path.toString().endsWith(".java")).toList()) {
                    files.put(ROOT.relativize(file).toString(), Files.readString(file));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return files;
    }

    /** Returns all string literals of a file in their order, with single spaces. */
    static String texts(String source) {
        List<String> texts = new ArrayList<>();
        int at = 0;
        while (at < source.length()) {
            if (source.startsWith("//", at)) {
                at = indexOf(source, "\n", at);
            } else if (source.startsWith("/*", at)) {
                at = indexOf(source, "*/", at) + 2;
            } else if (source.startsWith("\"\"\"", at)) {
                int end = indexOf(source, "\"\"\"", at + 3);
                texts.add(source.substring(at + 3, end));
                at = end + 3;
            } else if (source.charAt(at) == '"' || source.charAt(at) == '\'') {
                int end = at + 1;
                while (source.charAt(end) != source.charAt(at)) {
                    end += source.charAt(end) == '\\' ? 2 : 1;
                }
                if (source.charAt(at) == '"') {
                    texts.add(source.substring(at + 1, end));
                }
                at = end + 1;
            } else {
                at++;
            }
        }
        return oneLine(String.join("", texts)
                .replace("\\n", " ")
                .replace("\\\n", "")
                .replace("\\\"", "\"")
                .replace("%n", " ")
                .replace("%%", "%"));
    }

    static String oneLine(String text) {
        return text.replaceAll("\\s+", " ");
    }

    private static int indexOf(String source, String what, int from) {
        int found = source.indexOf(what, from);
        return found < 0 ? source.length() : found;
    }
}
