package dev.neurontest.fake.internal.tree.directory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A watch for file changes by other programs, while the system has watches left. */
final class WriteWatch implements AutoCloseable {

    private final Source source;
    private final WatchService service;
    private final Consumer<Path> suspect;
    private final Runnable missedSome;
    private final Thread thread;

    /** The source of watches of the system, replaceable to simulate a system without watches left. */
    interface Source {

        WatchService open() throws IOException;

        default void register(Path directory, WatchService service) throws IOException {
            directory.register(
                    service,
                    StandardWatchEventKinds.ENTRY_MODIFY,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_DELETE);
        }
    }

    /**
     * @param suspect receives a file that may have been written
     * @param missedSome runs when the system has dropped events
     */
    WriteWatch(Source source, Consumer<Path> suspect, Runnable missedSome) throws IOException {
        this.source = source;
        this.service = source.open();
        this.suspect = suspect;
        this.missedSome = missedSome;
        this.thread = new Thread(this::run, "fake-neuron-watch");
        thread.setDaemon(true);
        thread.start();
    }

    void add(Path directory) throws IOException {
        source.register(directory, service);
    }

    private void run() {
        try {
            while (true) {
                WatchKey key = service.take();
                for (WatchEvent<?> event : key.pollEvents()) {
                    dispatch((Path) key.watchable(), event.kind(), event.context());
                }
                key.reset();
            }
        } catch (ClosedWatchServiceException | InterruptedException e) {
            // The watch is closed: no more changes are reported.
        }
    }

    private void dispatch(Path directory, WatchEvent.Kind<?> kind, @Nullable Object context) {
        if (kind == StandardWatchEventKinds.OVERFLOW || !(context instanceof Path name)) {
            missedSome.run();
        } else {
            suspect.accept(directory.resolve(name));
        }
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close the watch service", e);
        }
        thread.interrupt();
    }
}
