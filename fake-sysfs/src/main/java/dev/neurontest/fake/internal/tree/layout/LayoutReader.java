package dev.neurontest.fake.internal.tree.layout;

import dev.neurontest.fake.internal.driver.instance.DriverRelease;
import dev.neurontest.fake.internal.driver.instance.DriverRules;
import dev.neurontest.fake.internal.driver.instance.Platform;
import dev.neurontest.fake.internal.files.ResourceLines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reader of a {@code .layout} file. Lines with a keyword and a value set properties of the release. {@code like} starts from
 * another layout. {@code without} removes attributes. {@code move} moves all attributes with a path prefix; the longest matching
 * prefix wins. All other lines are attributes; a later one replaces an earlier one with the same path.
 */
final class LayoutReader {

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private final String name;
    private final Map<String, Attribute> attributes = new LinkedHashMap<>();
    private final Map<Platform, Set<String>> classAttributes = new EnumMap<>(Platform.class);
    private final Map<String, String> moves = new LinkedHashMap<>();
    private final NavigableMap<Integer, String> versions = new TreeMap<>();
    private @Nullable DriverRelease likeRelease;
    private boolean liveDatastore;
    private boolean resetLeaksPage;

    private LayoutReader(String name) {
        this.name = name;
        for (Platform platform : Platform.values()) {
            classAttributes.put(platform, new LinkedHashSet<>());
        }
    }

    static Layout read(String name) {
        LayoutReader reader = new LayoutReader(name);
        for (String line : ResourceLines.of(LayoutReader.class, name + ".layout")) {
            reader.add(line);
        }
        return reader.layout();
    }

    private Layout layout() {
        Map<Platform, List<String>> ofClass = new EnumMap<>(Platform.class);
        for (Map.Entry<Platform, Set<String>> of : classAttributes.entrySet()) {
            ofClass.put(of.getKey(), List.copyOf(of.getValue()));
        }
        return new Layout(
                name,
                rules(),
                List.copyOf(attributes.values()),
                Collections.unmodifiableMap(ofClass),
                Map.copyOf(moves));
    }

    private NavigableMap<Integer, DriverRules> rules() {
        NavigableMap<Integer, DriverRules> rules = new TreeMap<>();
        for (Map.Entry<Integer, String> each : versions.entrySet()) {
            String version = each.getValue();
            rules.put(each.getKey(), new DriverRules(version, release(version), liveDatastore, resetLeaksPage));
        }
        return Collections.unmodifiableNavigableMap(rules);
    }

    /**
     * Returns the release of a version. An invented version belongs to no release, and such a driver behaves like that of the
     * {@code like} line.
     */
    private DriverRelease release(String version) {
        if (likeRelease != null && !moves.isEmpty()) {
            return likeRelease;
        }
        Optional<DriverRelease> release = DriverRelease.of(version);
        if (release.isEmpty()) {
            throw new IllegalStateException(name + ".layout: no release " + version);
        }
        return release.get();
    }

    private void add(String line) {
        String[] words = BLANKS.split(line.trim());
        switch (words[0]) {
            case "like" -> like(Layout.named(words[1]));
            case "driver" -> driver(words);
            case "datastore" -> liveDatastore = oneOf(line, words[1], "on-release", "live") == 1;
            case "page-per-reset" -> resetLeaksPage = oneOf(line, words[1], "returned", "leaked") == 1;
            case "class" -> {
                for (Platform platform : platforms(words[1])) {
                    classAttributes.get(platform).addAll(group(words[2]));
                }
            }
            case "move" -> moves.put(words[1], words[2]);
            case "without" -> without(words);
            case "p", "c2", "c3" -> {
                for (String path : group(words[3])) {
                    add(path, words);
                }
            }
            default -> throw wrong(line);
        }
    }

    private void like(Layout base) {
        DriverRules rules = base.rules(1);
        likeRelease = rules.release();
        liveDatastore = rules.liveDatastore();
        resetLeaksPage = rules.resetLeaksPage();
        for (Attribute attribute : base.attributes()) {
            attributes.put(key(attribute), attribute);
        }
        for (Map.Entry<Platform, List<String>> names : base.classAttributes().entrySet()) {
            classAttributes.get(names.getKey()).addAll(names.getValue());
        }
    }

    private void driver(String[] words) {
        versions.put(words.length > 2 ? architecture(words[2]) : 1, words[1]);
    }

    private static int architecture(String word) {
        return word.equals("all") ? 1 : Integer.parseInt(word.replaceAll("[v+]", ""));
    }

    private static List<Platform> platforms(String words) {
        if (words.equals("all")) {
            return List.of(Platform.values());
        }
        List<Platform> platforms = new ArrayList<>();
        for (String word : words.split(",")) {
            platforms.add(Platform.valueOf(word.toUpperCase(Locale.ROOT)));
        }
        return platforms;
    }

    private void without(String[] words) {
        if (words[1].equals("class")) {
            for (Set<String> names : classAttributes.values()) {
                names.removeAll(group(words[2]));
            }
        } else {
            for (String path : group(words[1])) {
                if (attributes.remove(path) == null) {
                    throw new IllegalStateException(name + ".layout: there is no " + path + " to remove");
                }
            }
        }
    }

    private void add(String pathAndDriverName, String[] words) {
        String[] names = pathAndDriverName.split("=");
        boolean ofCore = names[0].startsWith(Layout.CORE);
        String path = ofCore ? names[0].substring(Layout.CORE.length()) : names[0];
        Attribute attribute = new Attribute(
                path,
                ofCore,
                kind(words[0]),
                Integer.parseInt(words[1], 8),
                architecture(words[2]),
                names.length > 1 ? names[1] : path.substring(path.lastIndexOf('/') + 1));
        attributes.put(key(attribute), attribute);
    }

    private static String key(Attribute attribute) {
        return (attribute.ofCore() ? Layout.CORE : "") + attribute.path();
    }

    private static Attribute.Kind kind(String word) {
        return switch (word) {
            case "p" -> Attribute.Kind.PLAIN;
            case "c2" -> Attribute.Kind.COUNTER;
            default -> Attribute.Kind.MEMORY_COUNTER;
        };
    }

    /** Returns the members of a group: {@code a/{b,c}} is {@code a/b} and {@code a/c}. */
    private static List<String> group(String text) {
        int open = text.indexOf('{');
        if (open < 0) {
            return List.of(text);
        }
        List<String> members = new ArrayList<>();
        for (String member : text.substring(open + 1, text.indexOf('}')).split(",")) {
            members.add(text.substring(0, open) + member);
        }
        return members;
    }

    private int oneOf(String line, String word, String... choices) {
        int index = Arrays.asList(choices).indexOf(word);
        if (index < 0) {
            throw wrong(line);
        }
        return index;
    }

    private IllegalStateException wrong(String line) {
        return new IllegalStateException(name + ".layout: unknown line \"" + line + "\"");
    }
}
