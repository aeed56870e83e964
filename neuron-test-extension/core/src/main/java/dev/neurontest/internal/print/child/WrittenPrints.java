package dev.neurontest.internal.print.child;

import dev.neurontest.internal.print.DelegatedFeed;
import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.print.PrintDoubt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The prints that programs have written to their folders so far. An incomplete print is an odd event until the next read. */
final class WrittenPrints implements DelegatedFeed {

    private final Path folder;
    private final List<Path> ofPrograms = new ArrayList<>();
    private PrintFeed collected = new GivenFeed(List.of(), List.of(), List.of());
    private boolean closed;

    WrittenPrints(Path folder) {
        this.folder = folder;
    }

    /** Creates the folder of another program. */
    synchronized Path newFolder() {
        Path made = folder.resolve("program-" + (ofPrograms.size() + 1));
        try {
            Files.createDirectory(made);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The folder %s for the prints of a program cannot be created (%s). Free disk space, or choose another folder."
                            .formatted(made, e),
                    e);
        }
        ofPrograms.add(made);
        return made;
    }

    @Override
    public synchronized void settle() {
        if (!closed) {
            List<PrintFeed> feeds = ofPrograms.stream().map(PrintFiles::collect).toList();
            List<PrintFeed> full =
                    feeds.stream().filter(feed -> !isUnavailable(feed)).toList();
            collected = full.isEmpty() ? PrintFiles.nothing(folder) : PrintFeed.of(full);
        }
    }

    /** Returns whether a program wrote no prints. This is no doubt about the prints of the others. */
    private static boolean isUnavailable(PrintFeed feed) {
        return feed.doubts().stream().anyMatch(doubt -> doubt.kind() == PrintDoubt.Kind.UNAVAILABLE);
    }

    @Override
    public synchronized PrintFeed source() {
        return collected;
    }

    synchronized void close() {
        settle();
        closed = true;
    }
}
