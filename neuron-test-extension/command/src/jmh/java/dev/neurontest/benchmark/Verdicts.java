package dev.neurontest.benchmark;

import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.internal.baseline.VerdictSimulationFixture;
import dev.neurontest.internal.baseline.VerdictSimulationFixture.Cell;
import dev.neurontest.internal.baseline.VerdictSimulationFixture.Device;
import dev.neurontest.internal.baseline.VerdictSimulationFixture.Peer;
import dev.neurontest.internal.baseline.VerdictSimulationFixture.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The share of right verdicts of the rule of baselines on simulated devices, compared with other rules. */
final class Verdicts {

    private static final int TRIALS = 2_000;
    private static final long SEED = 20_261_121;

    private Verdicts() {}

    static void measure(Path output, Results results) throws IOException {
        StringBuilder text = new StringBuilder("""
                Parts of %,d experiments in %%, at a true change of 0 / 2 / 3 / 5 %%; margin 3 %%, baseline of 10 runs, 30 iterations a run, seed %d.

                | device | run-to-run | worse | not worse | undecided | contaminated | runs | ±5 %% of a run | t-test of a run | bootstrap of a run |
                |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                """.formatted(TRIALS, SEED));
        for (Device device : Device.values()) {
            for (double runToRun : VerdictSimulationFixture.RUN_TO_RUN) {
                text.append(row(device, runToRun)).append('\n');
            }
        }
        Path table = Files.writeString(output.resolve("verdicts.md"), text);
        System.out.println(text);
        results.note("the table of verdicts is in " + table);
    }

    private static String row(Device device, double runToRun) {
        List<Tally> tallies = VerdictSimulationFixture.CHANGES.stream()
                .map(change -> VerdictSimulationFixture.tally(new Cell(device, runToRun, change), TRIALS, SEED, true))
                .toList();
        return "| %s | %s %% | %s | %s | %s | %s | %s | %s | %s | %s |"
                .formatted(
                        device.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        rounded(100 * runToRun),
                        cells(tallies, tally -> 100 * tally.share(ComparisonOutcome.WORSE)),
                        cells(tallies, tally -> 100 * tally.share(ComparisonOutcome.NOT_WORSE)),
                        cells(tallies, tally -> 100 * tally.share(ComparisonOutcome.UNDECIDED)),
                        cells(tallies, tally -> 100 * tally.share(ComparisonOutcome.CONTAMINATED)),
                        cells(tallies, Tally::meanRuns),
                        cells(tallies, tally -> 100 * tally.share(Peer.PLAIN)),
                        cells(tallies, tally -> 100 * tally.share(Peer.T_TEST)),
                        cells(tallies, tally -> 100 * tally.share(Peer.CRITERION)));
    }

    private static String cells(List<Tally> tallies, ToDoubleFunction<Tally> value) {
        return tallies.stream()
                .map(tally -> rounded(value.applyAsDouble(tally)))
                .collect(Collectors.joining(" / "));
    }

    private static String rounded(double value) {
        return String.format(Locale.ROOT, "%.1f", value).replaceFirst("\\.0$", "");
    }
}
