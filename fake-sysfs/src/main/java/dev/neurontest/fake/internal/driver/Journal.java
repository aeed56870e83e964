package dev.neurontest.fake.internal.driver;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apiguardian.api.API;

/** The last changes of the state, oldest first. {@value #CAPACITY} are kept, older ones are dropped. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Journal {

    static final int CAPACITY = 10_000;

    private final Clock clock;
    private final Deque<JournalEntry> entries = new ArrayDeque<>();
    private long noted;

    Journal(Clock clock) {
        this.clock = clock;
    }

    /**
     * Adds a change.
     *
     * @param change an immutable description of the change; its {@code toString} returns one line
     */
    public synchronized void add(Object change) {
        if (entries.size() == CAPACITY) {
            entries.removeFirst();
        }
        noted++;
        entries.addLast(new JournalEntry(clock.instant(), change));
    }

    /** Returns a copy of the stored entries, oldest first. */
    public synchronized List<JournalEntry> entries() {
        return List.copyOf(entries);
    }

    /** Returns the number of all changes since the beginning, including dropped ones. */
    public synchronized long noted() {
        return noted;
    }
}
