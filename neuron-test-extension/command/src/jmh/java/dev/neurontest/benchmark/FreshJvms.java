package dev.neurontest.benchmark;

import dev.neurontest.fake.FakeProcess;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The time of tests in a fresh JVM, as in each fork of a build: the first test, and the median of all; and the number of classes that are
 * loaded for them. Hosts with {@code root:} are served by another JVM, as hardware is by the driver.
 */
final class FreshJvms {

    private static final int TIMES = 9;
    private static final int PROCESSES = 300;
    private static final String BUSY = "root: %s, with another device open and " + PROCESSES + " processes%s";

    private FreshJvms() {}

    private record Kind(
            String name,
            Class<?> tests,
            String platform,
            String wantedOfFirst,
            String wantedOfAll,
            List<double[]> millis) {

        Kind(String name, Class<?> tests, String platform, String wantedOfFirst, String wantedOfAll) {
            this(name, tests, platform, wantedOfFirst, wantedOfAll, new ArrayList<>());
        }

        double median(int which) {
            return Median.of(millis.stream().map(each -> each[which]).toList());
        }
    }

    /**
     * Runs the tests of a class once, and prints the milliseconds of the first, the median of all, and the number of loaded classes.
     *
     * @param arguments the class, the platform, and the folder for files
     */
    public static void main(String[] arguments) throws IOException, ClassNotFoundException {
        TestRuns.Times times;
        try (TestRuns runs =
                new TestRuns(Class.forName(arguments[0]), arguments[1], "failure", Path.of(arguments[2]))) {
            times = runs.times();
        }
        long classes = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
        System.out.println(times.untilFirst() + " " + times.median() + " " + classes);
    }

    static void measure(Path sources, Path output, Results results) throws IOException, InterruptedException {
        try (HostFiles files = HostFiles.make(sources, output)) {
            String small = BenchmarkFolders.SMALL;
            String large = BenchmarkFolders.LARGE;
            String smallFiles = "root:" + files.folders().root(small);
            String largeFiles = "root:" + files.folders().root(large);
            Class<?> core = Cases.FewOneCore.class;
            Class<?> counts = Cases.FewWithCounts.class;
            Kind plain = new Kind("plain JUnit", Cases.FewEmpty.class, "fake:" + small, "", "");
            List<Kind> kinds = new ArrayList<>(List.of(
                    plain,
                    new Kind("with @TempDir", Cases.FewTemporaryFolders.class, "fake:" + small, "", ""),
                    new Kind(
                            "with @SetSystemProperty of Pioneer",
                            Cases.FewSystemProperties.class,
                            "fake:" + small,
                            "",
                            ""),
                    new Kind("with @Testcontainers", Cases.FewOfTestcontainers.class, "fake:" + small, "", ""),
                    new Kind("in process: " + small, core, "fake:" + small, "at most 5.0 times", ""),
                    new Kind("in process: " + large, core, "fake:" + large, "at most 6.0 times", ""),
                    new Kind("root: " + small, core, smallFiles, "at most 5.5 times", "5 ms"),
                    new Kind("root: " + large, core, largeFiles, "at most 7.0 times", "6 ms"),
                    new Kind("root: " + small + ", where counters move", counts, smallFiles, "", "15 ms"),
                    new Kind("root: " + large + ", where counters move", counts, largeFiles, "", "15 ms")));
            List<Kind> busy = List.of(
                    new Kind(BUSY.formatted(large, ""), core, largeFiles, "", "15 ms"),
                    new Kind(BUSY.formatted(large, ", where counters move"), counts, largeFiles, "", ""));
            for (int time = 0; time < TIMES; time++) {
                run(kinds, output);
            }
            files.addProcesses(large, PROCESSES);
            for (int time = 0; time < TIMES; time++) {
                FakeProcess other = files.openLastDevice();
                run(busy, output);
                other.close();
            }
            kinds.addAll(busy);
            for (Kind kind : kinds) {
                results.time(
                        "first test of a JVM, " + kind.name(),
                        kind.median(0),
                        "%.1f times, %+.0f ms"
                                .formatted(kind.median(0) / plain.median(0), kind.median(0) - plain.median(0)),
                        kind.wantedOfFirst());
            }
            for (Kind kind : kinds) {
                results.note("classes loaded by a JVM with the first %d tests, %s: %.0f (%+.0f)"
                        .formatted(Cases.FEW_TESTS, kind.name(), kind.median(2), kind.median(2) - plain.median(2)));
            }
            for (Kind kind : kinds) {
                results.time(
                        "empty test, median of the first " + Cases.FEW_TESTS + " of a JVM, " + kind.name(),
                        kind.median(1),
                        "",
                        kind.wantedOfAll());
            }
        }
    }

    private static void run(List<Kind> kinds, Path output) throws IOException, InterruptedException {
        for (Kind kind : kinds) {
            kind.millis().add(run(kind, output));
        }
    }

    private static double[] run(Kind kind, Path output) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FreshJvms.class.getName(),
                        kind.tests().getName(),
                        kind.platform(),
                        output.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String[] printed =
                new String(child.getInputStream().readAllBytes()).strip().split("\\s+");
        if (child.waitFor() != 0 || printed.length != 3) {
            throw new IllegalStateException("no fresh JVM ran " + kind);
        }
        return Stream.of(printed).mapToDouble(Double::parseDouble).toArray();
    }
}
