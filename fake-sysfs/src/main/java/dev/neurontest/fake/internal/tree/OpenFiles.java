package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.driver.ChangeListener;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.NotifiedFile;
import dev.neurontest.fake.internal.tree.layout.Layout;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many events files have had, and which open files hear of the next ones at once. A file without a poller costs nothing here, however often
 * it is opened and closed.
 */
final class OpenFiles implements ChangeListener {

    private final Layout layout;
    private final Map<NotifiedFile, Long> events = new ConcurrentHashMap<>();
    private final Map<NotifiedFile, Set<OpenFile>> polled = new ConcurrentHashMap<>();

    /** @param layout says where attributes stand that the driver notifies */
    OpenFiles(Layout layout) {
        this.layout = layout;
    }

    /** The number of events until now. */
    long events(NotifiedFile file) {
        // Nearly always: then the file need not be looked for.
        return events.isEmpty() ? 0 : events.getOrDefault(file, 0L);
    }

    /** A poller that asks for the number of events after this is told of every later one. */
    void tell(OpenFile poller, NotifiedFile file) {
        polled.compute(file, (known, those) -> {
            Set<OpenFile> more = those != null ? those : ConcurrentHashMap.newKeySet();
            more.add(poller);
            return more;
        });
    }

    void forget(OpenFile poller, NotifiedFile file) {
        polled.computeIfPresent(file, (known, those) -> {
            those.remove(poller);
            return those.isEmpty() ? null : those;
        });
    }

    @Override
    public void notified(NotifiedFile known) {
        NotifiedFile file = known instanceof NotifiedFile.OfAttribute attribute
                ? new NotifiedFile.OfAttribute(attribute.device(), layout.place(attribute.path()))
                : known;
        events.merge(file, 1L, Long::sum);
        Set<OpenFile> those = polled.get(file);
        if (those != null) {
            those.forEach(OpenFile::signal);
        }
    }

    @Override
    public void removed(Device device) {
        polled.values()
                .forEach(those -> those.stream().filter(one -> one.of(device)).forEach(OpenFile::signal));
    }
}
