package dev.neurontest.fake.tree;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a directory has in it, whichever device it belongs to. */
final class Shape {

    private final Map<String, Part> parts = new LinkedHashMap<>();
    private volatile Set<String> hidden = Set.of();

    /** One thing in a directory. */
    @FunctionalInterface
    interface Part {
        Node in(AttributeDirectory directory, String name);
    }

    /** Puts something at the end of a path; the directories on the way are made. */
    void put(String path, Part part) {
        int slash = path.indexOf('/');
        if (slash < 0) {
            parts.put(path, part);
        } else {
            below(path.substring(0, slash)).put(path.substring(slash + 1), part);
        }
    }

    private Shape below(String name) {
        Part there = parts.computeIfAbsent(name, missing -> new Sub(new Shape(), 0755));
        if (there instanceof Sub sub) {
            return sub.shape();
        }
        throw new IllegalStateException(name + " is a file and a directory");
    }

    private record Sub(Shape shape, int mode) implements Part {

        @Override
        public Node in(AttributeDirectory directory, String name) {
            return new AttributeDirectory.Below(directory, name, mode, shape, directory.core());
        }
    }

    /** A directory at the end of a path, with permission bits of its own. */
    void directory(String path, int mode) {
        int slash = path.indexOf('/');
        if (slash >= 0) {
            below(path.substring(0, slash)).directory(path.substring(slash + 1), mode);
        } else {
            parts.put(path, new Sub(below(path), mode));
        }
    }

    /** Whether something is in the directory at the moment, of what the shape says may be. */
    synchronized void show(String name, boolean shown) {
        Set<String> names = new HashSet<>(hidden);
        if (shown) {
            names.remove(name);
        } else {
            names.add(name);
        }
        hidden = Set.copyOf(names);
    }

    boolean hides(String name) {
        return hidden.contains(name);
    }

    List<String> names() {
        return parts.keySet().stream().filter(name -> !hides(name)).toList();
    }

    @Nullable
    Part part(String name) {
        return parts.get(name);
    }
}
