package dev.neurontest.counter;

import dev.neurontest.internal.counter.tree.CounterRow;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScope.Section;
import dev.neurontest.internal.text.ListText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Detection of a driver restart between two snapshots. */
final class DriverRestart {

    private static final int NAMED = 4;

    private DriverRestart() {}

    /**
     * Compares the directories of the kernel module and of the devices. Then it searches for a place where several monotonic
     * counters decreased.
     *
     * @return the evidence as the end of a sentence; empty if the two snapshots are comparable
     */
    static Optional<String> between(CounterSnapshot before, CounterSnapshot after) {
        CounterScope scope = before.scope();
        List<String> replaced = new ArrayList<>();
        for (String directory : before.state().replacedIn(after.state()).keySet()) {
            replaced.add(scope.tree().location(directory));
        }
        if (!replaced.isEmpty()) {
            return Optional.of("%s was created again".formatted(ListText.some(replaced, NAMED)));
        }
        for (Section section : scope.sections()) {
            List<String> fallen = fallen(section, before, after);
            if (fallen.size() > 1) {
                return Optional.of("counters that never decrease decreased together: " + ListText.some(fallen, NAMED));
            }
        }
        return Optional.empty();
    }

    private static List<String> fallen(Section section, CounterSnapshot before, CounterSnapshot after) {
        List<String> fallen = new ArrayList<>();
        for (CounterRow row : section.rows()) {
            int position = section.first() + row.main();
            if (row.main() >= 0
                    && before.isRead(position)
                    && after.isRead(position)
                    && row.kind().isMonotonic()
                    && Movement.of(row.kind(), before.bits(position), after.bits(position)) == Movement.DECREASED) {
                fallen.add(section.place() + " " + row.path());
            }
        }
        return fallen;
    }
}
