package dev.neurontest.fake.tree;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a directory has in it, whichever device it belongs to. */
final class Shape {

    private final Map<String, Part> parts = new LinkedHashMap<>();

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
        Part there = parts.computeIfAbsent(name, missing -> new Sub(new Shape()));
        if (there instanceof Sub sub) {
            return sub.shape();
        }
        throw new IllegalStateException(name + " is a file and a directory");
    }

    private record Sub(Shape shape) implements Part {

        @Override
        public Node in(AttributeDirectory directory, String name) {
            return new AttributeDirectory.Below(directory, name, shape, directory.core());
        }
    }

    List<String> names() {
        return List.copyOf(parts.keySet());
    }

    @Nullable
    Part part(String name) {
        return parts.get(name);
    }
}
