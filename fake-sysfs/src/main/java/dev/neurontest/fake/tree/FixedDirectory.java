package dev.neurontest.fake.tree;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A directory that is filled once, while the host starts. */
class FixedDirectory extends DirectoryNode {

    private final Map<String, Node> children = new LinkedHashMap<>();

    FixedDirectory(@Nullable DirectoryNode parent, String name) {
        super(parent, name);
    }

    <T extends Node> T add(T child) {
        children.put(child.name(), child);
        return child;
    }

    /** The directory at the end of a path below this one, made where it is missing. */
    FixedDirectory directory(String path) {
        FixedDirectory here = this;
        for (String name : path.split("/")) {
            FixedDirectory above = here;
            here = (FixedDirectory) above.children.computeIfAbsent(name, missing -> new FixedDirectory(above, missing));
        }
        return here;
    }

    @Override
    public List<String> names() {
        return List.copyOf(children.keySet());
    }

    @Override
    @Nullable
    public Node child(String name, boolean evenGone) {
        return children.get(name);
    }
}
