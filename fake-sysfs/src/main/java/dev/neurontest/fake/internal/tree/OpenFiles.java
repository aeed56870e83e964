package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.driver.ChangeListener;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.NotifiedFile;
import dev.neurontest.fake.internal.tree.layout.Layout;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The number of events of each file, and the open files that are notified of the next events. A file without a poller costs nothing
 * here, regardless of how often it is opened and closed.
 */
final class OpenFiles implements ChangeListener {

    private final Layout layout;
    private final Map<NotifiedFile, Long> events = new ConcurrentHashMap<>();
    private final Map<NotifiedFile, Set<OpenFile>> polled = new ConcurrentHashMap<>();

    /** @param layout maps the paths of attributes that the driver notifies */
    OpenFiles(Layout layout) {
        this.layout = layout;
    }

    /** Returns the number of events so far. */
    long events(NotifiedFile file) {
        // There are usually no events, and then the lookup is not needed.
        return events.isEmpty() ? 0 : events.getOrDefault(file, 0L);
    }

    /** Registers a poller. It is notified of every event that is not yet included in a later call of {@link #events}. */
    void register(OpenFile poller, NotifiedFile file) {
        polled.compute(file, (key, pollers) -> {
            Set<OpenFile> more = pollers != null ? pollers : ConcurrentHashMap.newKeySet();
            more.add(poller);
            return more;
        });
    }

    void forget(OpenFile poller, NotifiedFile file) {
        polled.computeIfPresent(file, (key, pollers) -> {
            pollers.remove(poller);
            return pollers.isEmpty() ? null : pollers;
        });
    }

    @Override
    public void notified(NotifiedFile changed) {
        NotifiedFile file = changed instanceof NotifiedFile.OfAttribute attribute
                ? new NotifiedFile.OfAttribute(attribute.device(), layout.place(attribute.path()))
                : changed;
        events.merge(file, 1L, Long::sum);
        Set<OpenFile> pollers = polled.get(file);
        if (pollers != null) {
            pollers.forEach(OpenFile::signal);
        }
    }

    @Override
    public void removed(Device device) {
        polled.values()
                .forEach(pollers ->
                        pollers.stream().filter(file -> file.of(device)).forEach(OpenFile::signal));
    }
}
