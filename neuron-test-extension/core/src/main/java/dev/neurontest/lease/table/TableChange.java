package dev.neurontest.lease.table;

import dev.neurontest.lease.store.TableState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One change of the table, with what is to be done in this JVM once it is written. */
final class TableChange {

    final TableState state;
    final List<Runnable> effects = new ArrayList<>();

    /** What ended a quarantine, by its number. */
    final Map<Long, String> cleared = new HashMap<>();

    /** Each request that waits has to be looked at again. */
    boolean concernsAll;

    TableChange(TableState state) {
        this.state = state;
    }
}
