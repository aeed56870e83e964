package dev.neurontest.fake;

import dev.neurontest.fake.internal.files.FakeEntry;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Everything below a directory of the in-process view, without following links. */
final class TreeWalkFixture {

    private final FakeTree tree;
    private final String top;
    private final Map<String, FakeEntry> files = new TreeMap<>();
    private final Map<String, FakeEntry> links = new TreeMap<>();
    private final Set<String> directories = new TreeSet<>();

    private TreeWalkFixture(FakeTree tree, String top) {
        this.tree = tree;
        this.top = top;
    }

    static TreeWalkFixture below(FakeTree tree, String top) throws IOException {
        TreeWalkFixture walk = new TreeWalkFixture(tree, top);
        walk.enter("");
        return walk;
    }

    private void enter(String directory) throws IOException {
        for (String name : tree.list(directory.isEmpty() ? top : top + '/' + directory)) {
            String path = directory.isEmpty() ? name : directory + '/' + name;
            FakeEntry entry = tree.stat(top + '/' + path);
            switch (entry.type()) {
                case FILE -> files.put(path, entry);
                case LINK -> links.put(path, entry);
                case DIRECTORY -> {
                    directories.add(path);
                    enter(path);
                }
            }
        }
    }

    Map<String, FakeEntry> files() {
        return files;
    }

    Map<String, FakeEntry> links() {
        return links;
    }

    Set<String> directories() {
        return directories;
    }
}
