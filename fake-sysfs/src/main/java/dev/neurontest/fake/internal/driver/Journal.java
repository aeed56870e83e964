package dev.neurontest.fake.internal.driver;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apiguardian.api.API;

/** The last changes of the state, oldest first. Older ones are dropped: {@value #CAPACITY} are kept. */
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
     * Notes a change.
     *
     * @param what what happened: a value that does not change any more, in one line by its {@code toString}
     */
    public synchronized void add(Object what) {
        if (entries.size() == CAPACITY) {
            entries.removeFirst();
        }
        noted++;
        entries.addLast(new JournalEntry(clock.instant(), what));
    }

    /**
     * What is kept.
     *
     * @return a copy, oldest first
     */
    public synchronized List<JournalEntry> entries() {
        return List.copyOf(entries);
    }

    /**
     * How much was noted since the beginning.
     *
     * @return what was dropped is counted too
     */
    public synchronized long noted() {
        return noted;
    }
}
