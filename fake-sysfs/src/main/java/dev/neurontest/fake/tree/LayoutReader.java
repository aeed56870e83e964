package dev.neurontest.fake.tree;

import dev.neurontest.fake.driver.DriverRules;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads a {@code .layout} file. Lines of one word and a value set what the release is; {@code like} starts from another
 * layout; {@code without} takes attributes away; all others are attributes, later ones replacing earlier ones of that path.
 */
final class LayoutReader {

    private static final String CORE = "neuron_core*/";

    private final String name;
    private final Map<String, Attribute> attributes = new LinkedHashMap<>();
    private final Set<String> classAttributes = new LinkedHashSet<>();
    private final Set<String> ultraServerAttributes = new LinkedHashSet<>();
    private String driver = "";
    private boolean liveDatastore;
    private boolean resetLeaksPage;

    private LayoutReader(String name) {
        this.name = name;
    }

    static Layout read(String name) {
        LayoutReader reader = new LayoutReader(name);
        String resource = name + ".layout";
        try (InputStream in = LayoutReader.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing from the jar of fake-sysfs");
            }
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(reader::add);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource + " of fake-sysfs", e);
        }
        return reader.layout();
    }

    private Layout layout() {
        return new Layout(
                name,
                new DriverRules(driver, liveDatastore, resetLeaksPage),
                List.copyOf(attributes.values()),
                List.copyOf(classAttributes),
                List.copyOf(ultraServerAttributes));
    }

    private void add(String line) {
        String[] words = line.trim().split("\\s+");
        switch (words[0]) {
            case "like" -> like(Layout.named(words[1]));
            case "driver" -> driver = words[1];
            case "datastore" -> liveDatastore = oneOf(line, words[1], "on-release", "live") == 1;
            case "page-per-reset" -> resetLeaksPage = oneOf(line, words[1], "returned", "leaked") == 1;
            case "class" ->
                (oneOf(line, words[1], "all", "ultraserver") == 1 ? ultraServerAttributes : classAttributes)
                        .addAll(group(words[2]));
            case "without" -> without(words);
            case "p", "c2", "c3" -> group(words[4]).forEach(path -> add(path, words));
            default -> throw wrong(line);
        }
    }

    private void like(Layout other) {
        driver = other.rules().version();
        liveDatastore = other.rules().liveDatastore();
        resetLeaksPage = other.rules().resetLeaksPage();
        other.attributes().forEach(attribute -> attributes.put(key(attribute), attribute));
        classAttributes.addAll(other.classAttributes());
        ultraServerAttributes.addAll(other.ultraServerAttributes());
    }

    private void without(String[] words) {
        if (words[1].equals("class")) {
            group(words[2]).forEach(classAttributes::remove);
        } else {
            group(words[1]).forEach(path -> {
                if (attributes.remove(path) == null) {
                    throw new IllegalStateException(name + ".layout: there is no " + path + " to take away");
                }
            });
        }
    }

    private void add(String pathAndDriverName, String[] words) {
        String[] names = pathAndDriverName.split("=");
        boolean ofCore = names[0].startsWith(CORE);
        String path = ofCore ? names[0].substring(CORE.length()) : names[0];
        Attribute attribute = new Attribute(
                path,
                ofCore,
                kind(words[0]),
                Integer.parseInt(words[1], 8),
                words[2].equals("all") ? 1 : Integer.parseInt(words[2].replaceAll("[v+]", "")),
                update(words[3]),
                names.length > 1 ? names[1] : path.substring(path.lastIndexOf('/') + 1));
        attributes.put(key(attribute), attribute);
    }

    private static String key(Attribute attribute) {
        return (attribute.ofCore() ? CORE : "") + attribute.path();
    }

    private static Attribute.Kind kind(String word) {
        return switch (word) {
            case "p" -> Attribute.Kind.PLAIN;
            case "c2" -> Attribute.Kind.COUNTER;
            default -> Attribute.Kind.MEMORY_COUNTER;
        };
    }

    private static Attribute.Update update(String word) {
        return Attribute.Update.valueOf(word.replace('-', '_').toUpperCase(Locale.ROOT));
    }

    /** {@code a/{b,c}} is {@code a/b} and {@code a/c}. */
    private static List<String> group(String text) {
        int open = text.indexOf('{');
        if (open < 0) {
            return List.of(text);
        }
        return Arrays.stream(text.substring(open + 1, text.indexOf('}')).split(","))
                .map(member -> text.substring(0, open) + member)
                .toList();
    }

    private int oneOf(String line, String word, String... choices) {
        int index = Arrays.asList(choices).indexOf(word);
        if (index < 0) {
            throw wrong(line);
        }
        return index;
    }

    private IllegalStateException wrong(String line) {
        return new IllegalStateException(name + ".layout: cannot understand \"" + line + "\"");
    }
}
