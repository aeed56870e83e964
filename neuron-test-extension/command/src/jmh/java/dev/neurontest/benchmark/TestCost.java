package dev.neurontest.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The time of a test compared with an empty one, after {@value #WARM_UP} warm-up runs of a thousand tests each. All kinds alternate.
 */
final class TestCost {

    private static final int WARM_UP = 12;
    private static final int MEASURED = 11;

    /** The number of measured runs with JfrUnit, which waits in each test and does not get faster. */
    private static final int JFR_MEASURED = 2;

    private TestCost() {}

    private static final class Kind implements AutoCloseable {

        private final String name;
        private final String wanted;
        private final TestRuns runs;
        private final List<Double> medians = new ArrayList<>();

        Kind(String name, String wanted, Class<?> tests, String evidence, Path output) throws IOException {
            this.name = name;
            this.wanted = wanted;
            this.runs = new TestRuns(tests, evidence, output);
        }

        void measure() {
            medians.add(Median.of(runs.millis()));
        }

        /** Returns the median difference to the empty tests of the same turn. */
        double over(Kind other) {
            List<Double> over = new ArrayList<>();
            for (int turn = 0; turn < medians.size(); turn++) {
                over.add(medians.get(turn) - other.medians.get(turn));
            }
            return Median.of(over);
        }

        @Override
        public void close() {
            runs.close();
        }
    }

    static void measure(Path output, Results results) throws IOException {
        try (Kind empty = new Kind("a test that does nothing", "", Cases.Empty.class, "failure", output);
                Kind core = new Kind(
                        "one with a NeuronCore, evidence on failure",
                        "at most +0.3 ms",
                        Cases.OneCore.class,
                        "failure",
                        output);
                Kind evidence = new Kind(
                        "one with a NeuronCore, evidence always",
                        "at most +0.6 ms",
                        Cases.OneCore.class,
                        "always",
                        output);
                Kind folder = new Kind("one with a @TempDir", "", Cases.TemporaryFolder.class, "failure", output);
                Kind recorder = new Kind("one with JfrUnit", "", Cases.FlightRecorder.class, "failure", output)) {
            List<Kind> kinds = List.of(empty, core, evidence, folder);
            for (int turn = 0; turn < WARM_UP; turn++) {
                for (Kind kind : kinds) {
                    kind.runs.millis();
                }
            }
            for (int turn = 0; turn < MEASURED; turn++) {
                for (Kind kind : kinds) {
                    kind.measure();
                }
            }
            for (int turn = 0; turn < JFR_MEASURED; turn++) {
                recorder.measure();
            }
            results.time(empty.name, Median.of(empty.medians), "", "");
            for (Kind kind : List.of(core, evidence, folder, recorder)) {
                results.time(kind.name, Median.of(kind.medians), "%+.3f ms".formatted(kind.over(empty)), kind.wanted);
            }
            results.note("%d turns of %d tests each (JfrUnit %d of %d), from the end of the test before to its own"
                    .formatted(MEASURED, Cases.TESTS, JFR_MEASURED, Cases.JFR_TESTS));
        }
    }
}
