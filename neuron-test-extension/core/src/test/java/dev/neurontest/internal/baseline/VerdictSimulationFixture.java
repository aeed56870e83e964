package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.TTest;

/**
 * Simulated runs of a device with a known truth, judged by the rule and by rules of other tools. The same seed gives
 * the same runs.
 *
 * <p>Each run has a random offset (normal, the run-to-run CV) and iterations that vary by 1 % around it. A baseline has
 * 10 runs and is measured on a quiet device.
 */
public final class VerdictSimulationFixture {

    /** The behavior of the device during the new runs. */
    public enum Device {
        /** No disturbance. */
        QUIET,
        /** 2 % of the iterations take up to 50 % longer, those of the baseline too. */
        HEAVY_TAILS,
        /** Each run is 1 % slower than the one before. */
        DRIFTING,
        /** Two of five runs are slowed down by 15 % without any message. */
        SLOWED_UNSEEN,
        /** Two of five runs are slowed down by 15 %, with a message. */
        SLOWED_SEEN
    }

    /**
     * The conditions of a repeated experiment.
     *
     * @param device the behavior of the device
     * @param runToRun the CV between runs
     * @param change the relative slowdown of the code
     */
    public record Cell(Device device, double runToRun, double change) {

        /** Returns a number that is the same in every JVM, unlike the hash of a constant. */
        private long number() {
            return device.ordinal() * 1_000_000L + Math.round(runToRun * 1_000) * 1_000 + Math.round(change * 1_000);
        }
    }

    /** The rules of other tools for a single run. */
    public enum Peer {
        /** The mean is more than 5 % over the mean of one earlier run. */
        PLAIN,
        /** The iterations differ from those of one earlier run by a one-sided t-test (p &lt; 0.05). */
        T_TEST,
        /**
         * The whole bootstrap interval (95 %) of the change of means is above 1 %, and a t-test agrees. Both use the
         * iterations of one run each.
         */
        CRITERION
    }

    /**
     * The results of a cell.
     *
     * @param trials the number of experiments
     * @param outcomes of the rule
     * @param meanRuns the mean number of runs that the rule requested, including those that did not count
     * @param alarms of the peers
     */
    public record Tally(
            int trials, Map<ComparisonOutcome, Integer> outcomes, double meanRuns, Map<Peer, Integer> alarms) {

        /** Returns the share of an outcome, from 0 to 1. */
        public double share(ComparisonOutcome outcome) {
            return outcomes.getOrDefault(outcome, 0) / (double) trials;
        }

        /** Returns the share of the alarms of a peer, from 0 to 1. */
        public double share(Peer peer) {
            return alarms.getOrDefault(peer, 0) / (double) trials;
        }
    }

    public static final List<Double> RUN_TO_RUN = List.of(0.001, 0.003, 0.01, 0.02, 0.03);
    public static final List<Double> CHANGES = List.of(0.0, 0.02, 0.03, 0.05);

    private static final int BASELINE_RUNS = 10;
    private static final int ITERATIONS = 30;
    private static final int RESAMPLES = 200;
    private static final double ITERATION_NOISE = 0.01;
    private static final Metric TIME = new Metric("total_time", Unit.SECONDS, Direction.LOWER, Noise.NOISY);
    private static final BaselineKey KEY = new BaselineKey("com.acme.BertTest", "inference()", "total_time");
    private static final Stack STACK = new Stack(new TreeMap<>());
    private static final Median MEDIAN = Median.withDefaults();
    private static final Quantile QUANTILE = Quantile.withDefaults();

    private final Cell cell;
    private final SplittableRandom random;
    private final boolean peers;

    private VerdictSimulationFixture(Cell cell, SplittableRandom random, boolean peers) {
        this.cell = cell;
        this.random = random;
        this.peers = peers;
    }

    /**
     * Runs the experiments of a cell.
     *
     * @param peers whether the peers judge too, which takes longer and changes nothing for the rule
     */
    public static Tally tally(Cell cell, int trials, long seed, boolean peers) {
        return new VerdictSimulationFixture(cell, new SplittableRandom(seed + cell.number()), peers).tally(trials);
    }

    private Tally tally(int trials) {
        Map<ComparisonOutcome, Integer> outcomes = new EnumMap<>(ComparisonOutcome.class);
        Map<Peer, Integer> alarms = new EnumMap<>(Peer.class);
        long runs = 0;
        for (int trial = 0; trial < trials; trial++) {
            RunComparison comparison = new RunComparison(
                    TIME, ComparisonRule.standard(), Optional.of(baseline()), KEY, STACK, "", Optional.empty(), "");
            int made = 0;
            while (comparison.wantsMore()) {
                comparison.add(run(made++));
            }
            runs += made;
            outcomes.merge(comparison.outcome(), 1, Integer::sum);
        }
        for (int trial = 0; peers && trial < trials; trial++) {
            askPeers(alarms);
        }
        return new Tally(trials, outcomes, (double) runs / trials, alarms);
    }

    private BaselineEntry baseline() {
        List<Double> runs = IntStream.range(0, BASELINE_RUNS)
                .mapToObj(run -> MEDIAN.evaluate(iterations(1)))
                .toList();
        return new BaselineEntry(
                KEY,
                TIME,
                STACK,
                new Sample(runs, ITERATIONS),
                Optional.empty(),
                LocalDate.of(2026, 11, 21),
                "",
                "",
                List.of());
    }

    private MeasuredRun run(int index) {
        boolean slowed = isSlowed();
        double[] iterations = iterations((1 + cell.change()) * circumstance(index, slowed));
        return new MeasuredRun(
                MEDIAN.evaluate(iterations),
                ITERATIONS,
                slowed && cell.device() == Device.SLOWED_SEEN
                        ? Optional.of("throttled for 40 % of the time")
                        : Optional.empty());
    }

    private boolean isSlowed() {
        return (cell.device() == Device.SLOWED_SEEN || cell.device() == Device.SLOWED_UNSEEN)
                && random.nextDouble() < 0.4;
    }

    private double circumstance(int index, boolean slowed) {
        return slowed ? 1.15 : cell.device() == Device.DRIFTING ? 1 + 0.01 * index : 1;
    }

    private double[] iterations(double mean) {
        double luck = mean * (1 + cell.runToRun() * random.nextGaussian());
        double[] iterations = new double[ITERATIONS];
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            double tail =
                    cell.device() == Device.HEAVY_TAILS && random.nextDouble() < 0.02 ? random.nextDouble() * 0.5 : 0;
            iterations[iteration] = luck * (1 + ITERATION_NOISE * random.nextGaussian() + tail);
        }
        return iterations;
    }

    private void askPeers(Map<Peer, Integer> alarms) {
        double[] before = iterations(1);
        double[] now = iterations((1 + cell.change()) * circumstance(0, isSlowed()));
        double change = Mean.of(now).getAsDouble() / Mean.of(before).getAsDouble() - 1;
        boolean differs = TTest.withDefaults()
                        .with(AlternativeHypothesis.GREATER_THAN)
                        .test(now, before)
                        .getPValue()
                < 0.05;
        if (change > 0.05) {
            alarms.merge(Peer.PLAIN, 1, Integer::sum);
        }
        if (differs) {
            alarms.merge(Peer.T_TEST, 1, Integer::sum);
        }
        if (differs && lowEnd(before, now) > 0.01) {
            alarms.merge(Peer.CRITERION, 1, Integer::sum);
        }
    }

    private double lowEnd(double[] before, double[] now) {
        double[] changes = new double[RESAMPLES];
        Arrays.setAll(changes, resample -> drawnMean(now) / drawnMean(before) - 1);
        return QUANTILE.evaluate(changes, 0.025);
    }

    private double drawnMean(double[] values) {
        double sum = 0;
        for (int draw = 0; draw < values.length; draw++) {
            sum += values[random.nextInt(values.length)];
        }
        return sum / values.length;
    }
}
