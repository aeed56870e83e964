package dev.neurontest.report.page;

import java.util.Collection;
import java.util.List;

/** Lines below a title, which may be empty. */
record Lines(String title, List<String> all) {

    private static final int MOST = 100;

    static Lines of(Collection<?> all) {
        return new Lines("", all.stream().map(String::valueOf).toList());
    }

    List<String> shown() {
        return all.subList(0, all.size() - more());
    }

    int more() {
        return Math.max(0, all.size() - MOST);
    }
}
