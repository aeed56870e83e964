package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.Fault;
import dev.neurontest.internal.baseline.BaselineEntry;
import dev.neurontest.internal.baseline.ComparisonText;
import dev.neurontest.internal.baseline.history.BaselineFixture;
import dev.neurontest.internal.baseline.history.BaselineStore;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Profiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.opentest4j.AssertionFailedError;

/** Tests of comparisons with baselines. */
class BaselineComparisonIT {

    private static final String NEFF = "target/baseline-comparison/resnet50.neff";

    @TempDir
    private Path output;

    private static DoubleSupplier seconds = () -> 0;
    private static double slowdown = 1;
    private static double throttle;
    private static List<Double> throttles = List.of();

    private NeuronTestKit kit() {
        return kit("run");
    }

    /** Returns a kit with separate run files, to keep the events of runs apart. */
    private NeuronTestKit kit(String run) {
        return new NeuronTestKit(output.resolve(run))
                .with("neuron.test.baseline.directory", baselines().toString());
    }

    private Path baselines() {
        return output.resolve("baselines");
    }

    private void approve(String run) {
        BaselineFixture.approve(baselines(), output.resolve(run).resolve("run"));
    }

    private List<Comparison> compared(NeuronTestKit kit) {
        return kit.events(RunEvent.Compared.class).stream()
                .map(event -> RecordReader.OPEN.read(event.comparison(), Comparison.class))
                .toList();
    }

    private static void passes(EngineExecutionResults results) {
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        assertThat(results.testEvents().succeeded().count()).isEqualTo(1);
    }

    private static DoubleSupplier about(double median, long seed) {
        Random random = new Random(seed);
        return () -> median * (1 + 0.003 * random.nextGaussian());
    }

    private static List<Double> runs(double median, long seed) {
        DoubleSupplier noisy = about(median, seed);
        return Stream.generate(noisy::getAsDouble).limit(10).toList();
    }

    @Nested
    class MeasurementOfTest {

        @NeuronTest
        static class LatencyFixture {
            @Test
            void answers(NeuronCore core, Comparisons comparisons) {
                comparisons.latency("p50").margin("3 %").iterations(200).compare(seconds::getAsDouble);
            }
        }

        @NeuronTest
        static class BetweenFixture {
            @Test
            void isNotSlowerThanBefore(NeuronCore core, Comparisons comparisons) {
                DoubleSupplier old = about(0.016, 1);
                comparisons.latency("p50").between(old::getAsDouble, seconds::getAsDouble);
            }
        }

        @NeuronTest
        static class PercentileFixture {
            @Test
            void isShown(NeuronCore core, Comparisons comparisons) {
                comparisons.percentile(99, "17 ms", 473, 1);
            }

            @Test
            void isBroken(NeuronCore core, Comparisons comparisons) {
                comparisons.percentile(99, "17 ms", 300, 12);
            }

            @Test
            void isUndecided(NeuronCore core, Comparisons comparisons) {
                comparisons.percentile(99, "17 ms", 298, 0);
            }
        }

        @NeuronTest
        static class FailsLaterFixture {
            @Test
            @CompareToBaseline(metric = "counter:model_load_count")
            void answersWrongly(NeuronCore core, FakeNeuronHost fake, Comparisons comparisons) {
                FakeCore physical = fake.core(core);
                try (FakeProcess process = fake.openProcess(physical)) {
                    process.load(physical, 1 << 20);
                    process.execute(physical, 10);
                }
                comparisons.latency("p50").compare(seconds::getAsDouble);
                throw new IllegalStateException("the answers are wrong");
            }
        }

        @NeuronTest
        static class SickFixture {
            @Test
            @AllowCounter("mem_ecc_uncorrected")
            void answers(NeuronCore core, FakeNeuronHost fake, Comparisons comparisons) {
                fake.device(0).fault(Fault.ecc("mem_uncorrected", 2));
                comparisons.latency("p50").compare(seconds::getAsDouble);
            }
        }

        @Test
        void percentileLimitFailsWhenBrokenOrUndecided() {
            // when
            List<Throwable> failures = NeuronTestKit.failures(kit().run(PercentileFixture.class));

            // then
            assertThat(failures).hasSize(2);
            assertThat(failures)
                    .anySatisfy(failure -> assertThat(failure)
                            .hasMessageContaining("p99 at most 17 ms")
                            .hasMessageContaining("12 of 300 executions took longer"))
                    .anySatisfy(failure ->
                            assertThat(failure).hasMessageContaining("1 more within the limit would show it"));
        }

        @Test
        void becomesNoBaselineWhereTheTestFails() {
            // given
            seconds = about(0.016, 1);
            NeuronTestKit kit = kit().with("neuron.test.baseline.update", "missing");

            // when
            Throwable failure = onlyFailure(kit.run(FailsLaterFixture.class));

            // then
            assertThat(failure).hasMessage("the answers are wrong");
            assertThat(compared(kit)).hasSize(2);
            assertThat(baselines()).doesNotExist();
            assertThat(kit.notices()).noneMatch(notice -> notice.contains("baseline of"));
        }

        @Test
        void isContaminatedWhenHardwareFailed() {
            // given
            seconds = about(0.016, 1);
            NeuronTestKit kit =
                    kit().with("neuron.test.quarantine.reset", "false").with("neuron.test.baseline.update", "missing");

            // when
            kit.run(SickFixture.class);

            // then
            assertThat(kit.events(RunEvent.Quarantined.class)).isNotEmpty();
            assertThat(compared(kit)).isNotEmpty().allSatisfy(comparison -> {
                assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.CONTAMINATED);
                assertThat(comparison.decides())
                        .startsWith("undisturbed runs: ")
                        .contains("mem_ecc_uncorrected");
            });
            assertThat(baselines()).doesNotExist();
        }

        private void baselineOf(double median) {
            seconds = about(median, 1);
            passes(kit("before").run(LatencyFixture.class));
            approve("before");
            assertThat(baselines().resolve(LatencyFixture.class.getName() + ".json"))
                    .exists();
        }

        @Test
        void isProposedAsBaselineWhenNoneExists() {
            // given
            seconds = about(0.016, 1);
            NeuronTestKit kit = kit();

            // when
            passes(kit.run(LatencyFixture.class));

            // then
            assertThat(compared(kit)).singleElement().satisfies(comparison -> {
                assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.NO_BASELINE);
                assertThat(comparison.sample().runs()).hasSize(10);
            });
            assertThat(kit.notices()).anyMatch(notice -> notice.contains("is proposed in"));
            assertThat(baselines()).doesNotExist();
        }

        @Test
        void isWrittenAsMissingBaselineOutsideCi() {
            // given
            assumeThat(System.getenv("CI")).isNull();
            seconds = about(0.016, 1);

            // when
            passes(kit().with("neuron.test.baseline.update", "missing").run(LatencyFixture.class));

            // then
            assertThat(BaselineStore.in(baselines()).entries()).hasSize(1);
        }

        @Test
        void failsTestWhenRequiredBaselineIsMissing() {
            seconds = about(0.016, 1);
            assertThat(onlyFailure(kit().with("neuron.test.undecided", "no-baseline=fail")
                            .run(LatencyFixture.class)))
                    .isInstanceOf(AssertionFailedError.class)
                    .hasMessageContaining("p50");
        }

        @Test
        void failsTheTestWhenItIsWorse() {
            // given
            baselineOf(0.016);
            seconds = about(0.0168, 2);

            // when
            Throwable failure = onlyFailure(kit().run(LatencyFixture.class));

            // then
            assertThat(failure)
                    .isInstanceOf(AssertionFailedError.class)
                    .hasMessageContaining("p50")
                    .hasMessageContaining("neuron-test baseline approve --directory '%s' --output '%s' --only '"
                            .formatted(baselines(), output.resolve("run/run")));
        }

        @Test
        void passesWhenItIsWorseByLessThanTheMargin() {
            // given
            baselineOf(0.016);
            seconds = about(0.01608, 2);

            // then
            passes(kit().run(LatencyFixture.class));
        }

        @ParameterizedTest
        @CsvSource({"no-baseline=pass, PASSED", "improvement=fail, FAILED", "improvement=abort, UNDECIDED"})
        void isAcceptedFirstWhenSettingsRequireThatOfBetterResult(String policy, Outcome outcome) {
            // given
            baselineOf(0.016);
            seconds = about(0.0152, 2);
            NeuronTestKit kit = kit().with("neuron.test.undecided", policy);

            // when
            kit.run(LatencyFixture.class);

            // then
            assertThat(kit.events(RunEvent.TestFinished.class))
                    .last()
                    .extracting(RunEvent.TestFinished::outcome)
                    .isEqualTo(outcome);
            assertThat(kit.events(RunEvent.LeftUndecided.class)).hasSize(outcome == Outcome.PASSED ? 0 : 1);
            assertThat(kit.notices().stream().anyMatch(notice -> notice.startsWith("Better by more than the margin: ")))
                    .isEqualTo(outcome == Outcome.PASSED);
        }

        @Test
        void namesBaselineValueAndCommandWhenBetterResultFails() {
            // given
            baselineOf(0.016);
            seconds = about(0.0152, 2);

            // when
            Throwable failure = onlyFailure(
                    kit().with("neuron.test.undecided", "improvement=fail").run(LatencyFixture.class));

            // then
            assertThat(failure)
                    .isInstanceOf(AssertionFailedError.class)
                    .hasMessageStartingWith("Better by more than the margin: ")
                    .hasMessageContaining("\n  baseline     15.97 ms, ")
                    .hasMessageContaining("\n  now          15.2 ms, ")
                    .hasMessageContaining("\n  change       4.8 % faster ")
                    .hasMessageContaining("\n  to accept    neuron-test baseline approve ")
                    .hasMessageContaining(
                            "A better value fails the test because neuron.test.undecided has improvement=fail (");
        }

        @Test
        void passesWhenOneOfTwoVersionsIsBetter() {
            // given
            seconds = about(0.0152, 2);

            // then
            passes(kit().with("neuron.test.undecided", "improvement=fail").run(BetweenFixture.class));
        }

        @Test
        void isUndecidedAndPassesWhereTheHostIsTooNoisy() {
            // given
            baselineOf(0.016);
            Random random = new Random(3);
            seconds = () -> 0.0165 * (1 + 0.05 * random.nextGaussian());
            NeuronTestKit kit = kit();

            // when
            passes(kit.run(LatencyFixture.class));

            // then
            assertThat(kit.events(RunEvent.TestFinished.class))
                    .last()
                    .extracting(RunEvent.TestFinished::outcome)
                    .isEqualTo(Outcome.UNDECIDED);
            assertThat(compared(kit))
                    .last()
                    .satisfies(comparison -> assertThat(comparison.decides()).isNotEmpty());
        }

        @Test
        void isComparedWithAnotherVersionInSameTest() {
            // given
            seconds = about(0.0168, 2);
            NeuronTestKit kit = kit();

            // when
            Throwable failure = onlyFailure(kit.run(BetweenFixture.class));

            // then
            assertThat(failure).isInstanceOf(AssertionFailedError.class).hasMessageContaining("p50");
            assertThat(kit.notices()).noneMatch(notice -> notice.contains("is proposed in"));
        }
    }

    @Nested
    class DriverCounter {

        private static int loads;

        @NeuronTest
        static class LoadsFixture {
            @Test
            @CompareToBaseline(metric = "counter:model_load_count")
            void loadsOnce(NeuronCore core, FakeNeuronHost fake) {
                FakeCore physical = fake.core(core);
                try (FakeProcess process = fake.openProcess(physical)) {
                    for (int load = 0; load < loads; load++) {
                        process.load(physical, 1 << 20);
                    }
                    process.execute(physical, 10);
                }
            }
        }

        @Test
        void isComparedForEachInference() {
            // given
            loads = 1;
            passes(kit("before").run(LoadsFixture.class));
            approve("before");
            loads = 2;

            // then
            assertThat(onlyFailure(kit().run(LoadsFixture.class)))
                    .hasMessageContaining("counter:model_load_count")
                    .hasMessageContaining("0.2");
        }

        @Test
        void isNotWorseWhenNothingChanged() {
            // given
            loads = 1;
            NeuronTestKit kit = kit();
            passes(kit.run(LoadsFixture.class));
            approve("run");

            // when
            passes(kit.run(LoadsFixture.class));

            // then
            assertThat(compared(kit))
                    .extracting(Comparison::outcome)
                    .contains(ComparisonOutcome.NO_BASELINE, ComparisonOutcome.NOT_WORSE);
        }
    }

    @Nested
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools are shell scripts")
    class Profiles {

        @NeuronTest
        static class ProfiledFixture {
            @BeforeAll
            static void script(FakeNeuronHost fake) throws IOException {
                Files.createDirectories(Path.of(NEFF).getParent());
                FakeNeff.builder().name("resnet50").time(Duration.ofMillis(16)).write(Path.of(NEFF));
                fake.profiler().script("run-noise", 0.003, 7);
                fake.profiler().script("slowdown", slowdown);
                if (throttle > 0) {
                    fake.profiler().script("throttle", throttle);
                }
            }

            @Test
            @ProfileNeff(NEFF)
            @CompareToBaseline(metric = "total_time", margin = "3 %")
            void isNotSlower(NeuronCore core) {}
        }

        @NeuronTest
        static class FixedFixture {
            @BeforeAll
            static void compile(FakeNeuronHost fake) throws IOException {
                ProfiledFixture.script(fake);
            }

            @Test
            @ProfileNeff(NEFF)
            @CompareToBaseline(metric = "hbm_read_bytes")
            void readsAsMuch(NeuronCore core) {}
        }

        @NeuronTest
        static class OnlyStartUpFixture {
            @BeforeAll
            static void compile(FakeNeuronHost fake) throws IOException {
                ProfiledFixture.script(fake);
            }

            @Test
            @ProfileNeff(value = NEFF, warmup = 0)
            @CompareToBaseline(metric = "total_time")
            void test(NeuronCore core) {}
        }

        @NeuronTest
        static class UnknownDirectionFixture {
            @Test
            @ProfileNeff(NEFF)
            @CompareToBaseline(metric = "invented_time")
            void test(NeuronCore core) {}
        }

        private void given(Stack stack) {
            BaselineFixture.write(
                    BaselineStore.in(baselines()),
                    List.of(new BaselineEntry(
                            new BaselineKey(ProfiledFixture.class.getName(), "isNotSlower(NeuronCore)", "total_time"),
                            new Metric("total_time", Unit.SECONDS, Direction.LOWER, Noise.NOISY),
                            stack,
                            new Sample(runs(0.016, 5), 1),
                            Optional.empty(),
                            LocalDate.now(),
                            "",
                            "",
                            List.of())));
        }

        /** Returns the stack of this host, from a comparison that does not vary and needs only one run. */
        private Stack stackOfThisHost() {
            NeuronTestKit kit = kit("before");
            passes(kit.run(FixedFixture.class));
            return compared(kit).get(0).stack();
        }

        @Test
        void failTestOnlyWhenSlower() {
            // given
            slowdown = 1;
            Stack stack = stackOfThisHost();
            given(stack);

            // when
            NeuronTestKit same = kit("same");
            passes(same.run(ProfiledFixture.class));
            slowdown = 1.06;
            NeuronTestKit slower = kit();
            Throwable failure = onlyFailure(slower.run(ProfiledFixture.class));

            // then
            assertThat(stack.parts()).containsKeys("platform", "instance", "driver", "profiler", "capture", "lnc");
            assertThat(failure).hasMessageContaining("total_time").hasMessageContaining("ms");
            assertThat(compared(same)).extracting(Comparison::outcome).containsExactly(ComparisonOutcome.NOT_WORSE);
            assertThat(compared(slower)).extracting(Comparison::outcome).containsExactly(ComparisonOutcome.WORSE);
        }

        @Test
        void compareTimesOnlyWithinOneClassOfThrottling() {
            // given
            slowdown = 1;
            given(stackOfThisHost());
            throttle = 0.4;
            NeuronTestKit times = kit("times");
            NeuronTestKit bytes = kit("bytes");

            // when
            try {
                passes(times.run(ProfiledFixture.class));
                passes(bytes.run(FixedFixture.class));
            } finally {
                throttle = 0;
            }

            // then
            assertThat(compared(times)).singleElement().satisfies(comparison -> {
                assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.NO_BASELINE);
                assertThat(comparison.stack().parts().get("throttle")).startsWith("activity_1 40 % at ");
                assertThat(new ComparisonText(comparison).nearest())
                        .get()
                        .asString()
                        .contains("throttle none instead of activity_1 40 % at ");
            });
            assertThat(compared(bytes))
                    .singleElement()
                    .satisfies(
                            comparison -> assertThat(comparison.stack().parts()).doesNotContainKey("throttle"));
        }

        @NeuronTest
        static class ThrottledByTurnsFixture {
            @BeforeAll
            static void compile(FakeNeuronHost fake) throws IOException {
                ProfiledFixture.script(fake);
            }

            @Test
            @CompareToBaseline(metric = "total_time")
            void test(NeuronCore core, Profiler profiler, FakeNeuronHost fake) {
                for (double each : throttles) {
                    fake.profiler().script("throttle", each);
                    profiler.capture(Path.of(NEFF)).recaptures(0).run();
                }
            }
        }

        /** Verifies the classes of throttling: shares of 44 and 46 % are of two classes, and so are their times. */
        @ParameterizedTest
        @CsvSource({"0.44 0.46 0.44,0", "0.44 0.9 0.44,1", "0.44 0.9 0.1 0.46,2"})
        void rejectRunsThrottledUnlikeTheFirst(String shares, long left) {
            // given
            slowdown = 1;
            throttles = Arrays.stream(shares.split(" ")).map(Double::valueOf).toList();
            NeuronTestKit kit = kit();

            // when
            kit.run(ThrottledByTurnsFixture.class);

            // then
            assertThat(compared(kit))
                    .singleElement()
                    .satisfies(comparison -> assertThat(comparison.rejected())
                            .hasSize((int) left)
                            .allMatch(reason ->
                                    reason.startsWith("throttled differently from the first run: activity_1 ")));
        }

        @Test
        void areNotComparedAcrossStacksButNearestIsNamed() {
            // given
            Stack here = stackOfThisHost();
            Map<String, String> older = new HashMap<>(here.parts());
            older.put("driver", "2.1");
            Path file = baselines().resolve(FixedFixture.class.getName() + ".json");
            passes(kit("older").run(FixedFixture.class));
            approve("older");
            BaselineStore store = BaselineStore.in(baselines());
            BaselineEntry written = store.entries().get(0);
            store.remove(written.key(), here);
            BaselineFixture.write(
                    store,
                    List.of(new BaselineEntry(
                            written.key(),
                            written.metric(),
                            Stack.of(older),
                            written.sample(),
                            written.neff(),
                            written.recorded(),
                            "",
                            "",
                            List.of())));
            NeuronTestKit kit = kit();

            // when
            passes(kit.run(FixedFixture.class));

            // then
            assertThat(file).exists();
            assertThat(compared(kit)).singleElement().satisfies(comparison -> {
                assertThat(comparison.outcome()).isEqualTo(ComparisonOutcome.NO_BASELINE);
                assertThat(comparison.nearest()).contains(Stack.of(older));
            });
        }

        @Test
        void areNoRunsWhenTheyIncludeStartUp() {
            // given
            NeuronTestKit kit = kit().with("neuron.test.baseline.runs", "2");

            // when
            kit.run(OnlyStartUpFixture.class);

            // then
            assertThat(compared(kit)).singleElement().satisfies(comparison -> {
                assertThat(comparison.sample().runs()).isEmpty();
                assertThat(comparison.rejected())
                        .allSatisfy(reason -> assertThat(reason).contains("first execution"));
            });
        }

        @Test
        void areRefusedForMetricOfUnknownDirection() {
            assertThat(onlyFailure(kit().run(UnknownDirectionFixture.class)))
                    .hasStackTraceContaining(
                            "it is unknown whether lower or higher values of invented_time are better");
        }
    }
}
