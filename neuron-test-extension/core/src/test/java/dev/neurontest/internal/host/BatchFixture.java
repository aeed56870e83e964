package dev.neurontest.internal.host;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A batch of a host in a test, which reads its files one by one.
 *
 * @param paths the paths of the files
 * @param beforeReading an action before each reading
 * @param file the content of a file, by path
 */
public record BatchFixture(List<String> paths, Runnable beforeReading, Content file) implements HostTree.Batch {

    /** The content of a file. */
    public interface Content {
        byte[] read(String path) throws IOException;
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
    public HostTree.Batch part(int[] positions) {
        return new BatchFixture(IntStream.of(positions).mapToObj(paths::get).toList(), beforeReading, file);
    }

    @Override
    public void read(HostTree.Sink sink) {
        beforeReading.run();
        for (int index = 0; index < size(); index++) {
            try {
                byte[] content = file.read(path(index));
                sink.content(index, content, content.length);
            } catch (IOException failed) {
                sink.failed(index, failed);
            }
        }
    }
}
