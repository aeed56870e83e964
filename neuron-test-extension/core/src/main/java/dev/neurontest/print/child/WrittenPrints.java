package dev.neurontest.print.child;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.GivenFeed;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintFeed;
import java.nio.file.Path;
import java.util.List;

/** What programs have written to their folder so far. A print that is being written is odd until it is looked at again. */
final class WrittenPrints implements PrintFeed {

    private final Path folder;
    private PrintFeed seen = new GivenFeed(List.of(), List.of(), List.of());
    private boolean closed;

    WrittenPrints(Path folder) {
        this.folder = folder;
    }

    @Override
    public synchronized void settle() {
        if (!closed) {
            seen = PrintFiles.collect(folder);
        }
    }

    @Override
    public synchronized List<DevicePrint> prints() {
        return seen.prints();
    }

    @Override
    public synchronized List<OddEvent> oddEvents() {
        return seen.oddEvents();
    }

    @Override
    public synchronized List<PrintDoubt> doubts() {
        return seen.doubts();
    }

    synchronized void close() {
        settle();
        closed = true;
    }
}
