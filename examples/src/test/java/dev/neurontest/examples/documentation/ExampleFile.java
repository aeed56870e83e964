package dev.neurontest.examples.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Java file that a reader puts around the examples of a page: their imports, and the members and types that they use. A source
 * marks such members as its region {@code used}; types are files next to it.
 *
 * @param content the lines; empty if each example shows its own imports
 */
record ExampleFile(List<String> content) {

    private static final String PLACE = "    // an example of this page";
    private static final String STATIC = "import static ";
    private static final Pattern IMPORT = Pattern.compile("import (?:static )?[\\w.]+\\.(\\w+);");
    private static final Pattern TYPE = Pattern.compile("\\b[A-Z]\\w+");

    /** Returns whether an example is Java code without its imports. */
    static boolean isAround(Block block) {
        return block.language().equals("java")
                && block.has(Block.Kind.FROM)
                && block.content().stream()
                        .noneMatch(line -> IMPORT.matcher(line).matches());
    }

    /** Creates the file for the examples of a page. */
    static ExampleFile of(Path root, Page page) {
        List<Block> examples =
                page.blocks().stream().filter(ExampleFile::isAround).toList();
        Set<String> sources = examples.stream()
                .map(block -> source(block).replaceFirst("#.*", ""))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        List<String> code = new ArrayList<>();
        if (examples.stream().anyMatch(ExampleFile::isMember)) {
            code.addAll(List.of("@NeuronTest", "class ExampleTest {", ""));
            sources.stream().flatMap(source -> used(root, source)).forEach(code::add);
            code.addAll(List.of(PLACE, "}"));
        }
        List<String> text = new ArrayList<>(code);
        examples.forEach(block -> text.addAll(SourceRegion.read(root, source(block))));

        Set<String> types = new TreeSet<>();
        while (types.addAll(namesakes(root, sources, types, text))) {
            types.forEach(type -> text.addAll(withoutHead(root, type)));
        }
        Set<String> imports = imports(root, sources, types, text);
        List<List<String>> parts = new ArrayList<>();
        parts.add(imports.stream().filter(line -> line.startsWith(STATIC)).toList());
        parts.add(imports.stream().filter(line -> !line.startsWith(STATIC)).toList());
        parts.add(code);
        types.forEach(type -> parts.add(withoutHead(root, type)));
        return new ExampleFile(parts.stream()
                .filter(part -> !part.isEmpty())
                .map(part -> String.join("\n", part))
                .collect(Collectors.joining("\n\n"))
                .lines()
                .toList());
    }

    /** Returns the imports of a source that an example uses and does not show. */
    static Set<String> missingImports(Path root, Block block) {
        String source = source(block).replaceFirst("#.*", "");
        Set<String> missing = imports(root, Set.of(source), Set.of(), block.content());
        block.content().forEach(missing::remove);
        return missing;
    }

    /** Returns the file with an example: a class at its end, anything else in its class. */
    String with(Block example) {
        String file = String.join("\n", content);
        return isMember(example) && content.contains(PLACE)
                ? file.replace(PLACE, example.text())
                : file + "\n" + example.text();
    }

    private static String source(Block block) {
        return block.says(Block.Kind.FROM).orElseThrow();
    }

    private static boolean isMember(Block block) {
        return block.content().contains("@Nested")
                || block.content().stream().noneMatch(line -> line.startsWith("class "));
    }

    private static Stream<String> used(Path root, String source) {
        if (lines(root.resolve(source)).stream().noneMatch(line -> line.endsWith("tag::used"))) {
            return Stream.empty();
        }
        return Stream.concat(
                SourceRegion.read(root, source + "#used").stream().map(line -> line.isEmpty() ? line : "    " + line),
                Stream.of(""));
    }

    /** Returns the files next to the sources that define a type named in the text. */
    private static Set<String> namesakes(
            Path root, Collection<String> sources, Collection<String> known, Collection<String> text) {
        Set<String> folders = sources.stream()
                .map(source -> source.substring(0, source.lastIndexOf('/') + 1))
                .collect(Collectors.toSet());
        Set<String> found = new TreeSet<>();
        TYPE.matcher(String.join("\n", text))
                .results()
                .map(result -> result.group())
                .distinct()
                .forEach(name -> folders.stream()
                        .map(folder -> folder + name + ".java")
                        .filter(file -> !sources.contains(file) && !known.contains(file))
                        .filter(file -> Files.exists(root.resolve(file)))
                        .forEach(found::add));
        return found;
    }

    private static Set<String> imports(
            Path root, Collection<String> sources, Collection<String> types, Collection<String> text) {
        String code =
                text.stream().filter(line -> !IMPORT.matcher(line).matches()).collect(Collectors.joining("\n"));
        Set<String> imports = new TreeSet<>();
        Stream.concat(sources.stream(), types.stream())
                .flatMap(file -> lines(root.resolve(file)).stream())
                .filter(line -> {
                    Matcher imported = IMPORT.matcher(line);
                    return imported.matches()
                            && Pattern.compile("\\b" + imported.group(1) + "\\b")
                                    .matcher(code)
                                    .find();
                })
                .forEach(imports::add);
        return imports;
    }

    /** Returns the lines of a file after its package and imports. */
    private static List<String> withoutHead(Path root, String file) {
        return SourceRegion.read(root, file).stream()
                .filter(line -> !IMPORT.matcher(line).matches() && !line.startsWith("package "))
                .dropWhile(String::isEmpty)
                .toList();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
