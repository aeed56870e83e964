package dev.neurontest.host;

import java.io.IOException;
import java.util.List;

/** Files of a {@link FileTree} that are read again and again. */
final class FileBatch implements HostTree.Batch {

    private final FileTree tree;
    private final List<String> paths;

    FileBatch(FileTree tree, List<String> paths) {
        this.tree = tree;
        this.paths = List.copyOf(paths);
    }

    @Override
    public int size() {
        return paths.size();
    }

    @Override
    public String path(int index) {
        return paths.get(index);
    }

    @Override
    public void read(HostTree.Sink sink) {
        for (int index = 0; index < paths.size(); index++) {
            byte[] content;
            try {
                content = tree.read(paths.get(index));
            } catch (IOException failed) {
                sink.failed(index, failed);
                continue;
            }
            sink.content(index, content, content.length);
        }
    }
}
