package dev.neurontest.report.page;

import dev.neurontest.report.RecordedPrints;
import java.util.List;

/** What the device printed just before the end of a test. */
record PagePrints(RecordedPrints prints) {

    List<RecordedPrints.Print> last() {
        return prints.last();
    }

    String caption() {
        return prints.caption();
    }

    Lines mismatches() {
        return new Lines("Prints that differ from what was expected", prints.mismatches());
    }

    Lines doubts() {
        return new Lines("Prints in doubt", prints.doubts());
    }
}
