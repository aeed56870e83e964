package dev.neurontest.report.page;

import java.util.List;

/** What the device printed just before the end of a test. */
record PagePrints(RecordedPrints prints) {

    private static final int MOST = 8;

    List<RecordedPrints.Print> last() {
        return prints.last(MOST);
    }

    String caption() {
        int all = prints.prints().size();
        return "Printed by the device" + (all <= MOST ? "" : ": the last %d of %d".formatted(MOST, all));
    }

    Lines mismatches() {
        return new Lines("Prints that differ from what was expected", prints.mismatches());
    }

    Lines doubts() {
        return new Lines("Prints in doubt", prints.doubts());
    }
}
