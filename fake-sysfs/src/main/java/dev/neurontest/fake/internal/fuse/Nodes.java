package dev.neurontest.fake.internal.fuse;

import dev.neurontest.fake.FakeTree;
import dev.neurontest.fake.internal.files.FakeFile;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The nodes by the kernel's numbers: each path that the kernel has looked up and not forgotten. */
final class Nodes {

    static final long ROOT = 1;

    private final Map<Long, Node> byNumber = new ConcurrentHashMap<>();
    // Guarded by this.
    private final Map<String, Node> byPath = new HashMap<>();
    private long last = ROOT;

    /** A path that the kernel has looked up. */
    static final class Node {

        private final long number;
        private final long parent;
        private final String name;
        private final String path;
        // Created on first use.
        private volatile @Nullable FakeFile file;
        private volatile int generation;
        // Guarded by the nodes.
        private long lookups;

        private Node(long number, long parent, String name, String path) {
            this.number = number;
            this.parent = parent;
            this.name = name;
            this.path = path;
        }

        long number() {
            return number;
        }

        long parent() {
            return parent;
        }

        String name() {
            return name;
        }

        String path() {
            return path;
        }

        /** Returns the generation of the directory that the kernel has cached at this path. */
        int generation() {
            return generation;
        }

        void known(int entryGeneration) {
            generation = entryGeneration;
        }

        /** Returns the file at this path, which can be opened repeatedly. */
        FakeFile file(FakeTree tree) {
            FakeFile opened = file;
            if (opened == null) {
                opened = tree.open(path);
                file = opened;
            }
            return opened;
        }

        String path(String child) {
            return path.isEmpty() ? child : path + '/' + child;
        }
    }

    /** @param top path in the tree of the root of the mount */
    Nodes(String top) {
        Node root = new Node(ROOT, ROOT, "", top);
        // The root is never forgotten.
        root.lookups = 1;
        byNumber.put(ROOT, root);
        byPath.put(top, root);
    }

    @Nullable
    Node node(long number) {
        return byNumber.get(number);
    }

    /** Counts an answer that contains a child, and returns its node. */
    synchronized Node lookedUp(Node parent, String name) {
        String path = parent.path(name);
        Node node = byPath.get(path);
        if (node == null) {
            node = new Node(++last, parent.number, name, path);
            byPath.put(path, node);
            byNumber.put(node.number, node);
        }
        node.lookups++;
        return node;
    }

    synchronized void forget(long number, long lookups) {
        Node node = byNumber.get(number);
        if (node == null || number == ROOT) {
            return;
        }
        node.lookups -= lookups;
        if (node.lookups <= 0) {
            byNumber.remove(number);
            byPath.remove(node.path);
        }
    }

    /** Returns the known nodes in a directory. */
    synchronized List<Node> children(String directory) {
        Node parent = byPath.get(directory);
        if (parent == null) {
            return List.of();
        }
        return byPath.values().stream()
                .filter(node -> node.parent == parent.number && node != parent)
                .toList();
    }

    synchronized int size() {
        return byPath.size();
    }
}
