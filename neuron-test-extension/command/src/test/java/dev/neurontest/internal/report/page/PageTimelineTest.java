package dev.neurontest.internal.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunFixture;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageTimelineTest {

    private static final String CORE = "neuron0/neuron_core0";

    private final List<ReportedTest> tests = new ArrayList<>();
    private final List<ReportedQuarantine> quarantines = new ArrayList<>();

    /** Returns a test with all times in seconds after the start. */
    private PageTimelineTest test(
            String name, TestOutcome outcome, int started, int waited, int took, String... cores) {
        return recorded(name, outcome, started, waited, took, "{}", cores);
    }

    private PageTimelineTest recorded(
            String name, TestOutcome outcome, int started, int waited, int took, String counters, String... cores) {
        TestId id = new TestId("[engine:junit-jupiter]/[class:A]/[method:%s]".formatted(name), name);
        return recorded(id, outcome, started, waited, took, counters, cores);
    }

    private PageTimelineTest recorded(
            TestId id, TestOutcome outcome, int started, int waited, int took, String counters, String... cores) {
        tests.add(new ReportedTest(
                0,
                id,
                id.isContainer(),
                outcome,
                Optional.empty(),
                Optional.empty(),
                List.of(cores),
                after(started),
                Duration.ofSeconds(took),
                Duration.ofSeconds(waited),
                List.of(),
                List.of(),
                List.of(),
                List.of(new ReportedTest.Recorded("counters", new JsonObject(counters))),
                List.of(),
                List.of(),
                0,
                Optional.empty()));
        return this;
    }

    private static String moved(String place, String counter) {
        return """
                {"moved": [{"place": "%s", "counter": "%s", "unit": "count", "movement": "rose", "error": true, "before": 0, "after": 2, "delta": 2, "text": "+2"}]}
                """.formatted(place, counter);
    }

    private static String ofCluster(String host, String counters) {
        return counters.strip().replaceFirst("^\\{", "{\"cluster\": true, \"host\": \"%s\", ".formatted(host));
    }

    private static Instant after(int seconds) {
        return RunFixture.START.plusSeconds(seconds);
    }

    private PageTimeline timeline() {
        RunReport report =
                new RunReport(new RunFixture().report().jvms(), tests, quarantines, List.of(), List.of(), List.of());
        return new PageTimeline(
                report, new CoreStory(report), test -> test.outcome() == TestOutcome.FAILED ? "t1" : "");
    }

    private List<TimelineRow> rows() {
        return timeline().rows().stream().map(PageTimeline.Drawn::row).toList();
    }

    private TimelineRow row(String core) {
        return rows().stream()
                .filter(each -> each.core().name().equals(core))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row of " + core));
    }

    @Test
    void errorOnHostOfClusterIsDrawnThere() {
        // given
        recorded(
                "t()",
                TestOutcome.FAILED,
                0,
                0,
                4,
                ofCluster("n2", moved("neuron0", "hardware/mem_ecc_uncorrected")),
                "n1:" + CORE,
                "n2:" + CORE);

        // then
        assertThat(timeline().rows())
                .extracting(drawn -> drawn.row().core().host()
                        + " " + drawn.row().core().name() + ": "
                        + drawn.row().errors().size())
                .containsExactly("n1 " + CORE + ": 0", "n2 neuron0: 1", "n2 " + CORE + ": 0");
        assertThat(timeline().movedErrors())
                .extracting(PageTimeline.MovedError::subject)
                .containsExactly("n2: neuron0 hardware/mem_ecc_uncorrected");
    }

    @Test
    void hasRowPerCoreInNumericOrder() {
        // given
        test("a()", TestOutcome.PASSED, 0, 0, 1, "neuron10/neuron_core0", "neuron2/neuron_core1");
        test("b()", TestOutcome.PASSED, 1, 0, 1, "neuron2/neuron_core0");

        // then
        assertThat(rows())
                .extracting(row -> row.core().name())
                .containsExactly("neuron2/neuron_core0", "neuron2/neuron_core1", "neuron10/neuron_core0");
        assertThat(timeline().rows()).extracting(PageTimeline.Drawn::host).containsExactly(RunFixture.HOST, "", "");
    }

    @Test
    void drawsTheWaitBeforeTheTest() {
        // given
        test("ATest > first()", TestOutcome.PASSED, 0, 0, 10, CORE);
        test("ATest > second()", TestOutcome.FAILED, 0, 10, 40, CORE);

        // when
        TimelineRow row = row(CORE);

        // then
        assertThat(row.waits())
                .containsExactly(
                        new TimelineRow.Bar("wait", 0, 25, "ATest > second() waited 10.0 s for cores", "", "", 0, 0));
        assertThat(row.bars())
                .containsExactly(
                        new TimelineRow.Bar(
                                "passed", 0, 25, "ATest > first() passed, 02:10:00 to 02:10:10", "first()", "", 0, 25),
                        new TimelineRow.Bar(
                                "failed",
                                25,
                                75,
                                "ATest > second() failed, 02:10:10 to 02:10:40, waited 10.0 s",
                                "second()",
                                "t1",
                                25,
                                75));
        assertThat(row.description()).isEqualTo("1 failed");
    }

    @Test
    void drawsShortTestVisiblyWithoutName() {
        // given
        test("long()", TestOutcome.PASSED, 0, 0, 9999, "neuron0/neuron_core1");
        test("short()", TestOutcome.PASSED, 9999, 0, 1, CORE);
        test("failed()", TestOutcome.FAILED, 9999, 0, 1, CORE);

        // when
        List<TimelineRow.Bar> bars = row(CORE).bars();

        // then
        assertThat(bars).extracting(TimelineRow.Bar::width).containsExactly(0.4, 1.0);
        assertThat(bars).allSatisfy(bar -> {
            assertThat(bar.name()).isEmpty();
            assertThat(bar.x() + bar.width()).isCloseTo(100, within(1e-9));
        });
    }

    @Test
    void drawsFailureInFrontOfPassedTest() {
        // given
        test("failed()", TestOutcome.FAILED, 0, 0, 10, CORE);
        test("passed()", TestOutcome.PASSED, 5, 0, 10, CORE);

        // then
        assertThat(row(CORE).bars()).extracting(TimelineRow.Bar::kind).containsExactly("passed", "failed");
    }

    @Test
    void namesBarOnlyWhereNoOtherCoversIt() {
        // given
        test("long()", TestOutcome.PASSED, 0, 0, 100, CORE);
        test("failed()", TestOutcome.FAILED, 40, 0, 10, CORE);
        test("later()", TestOutcome.PASSED, 45, 0, 20, CORE);

        // then
        assertThat(row(CORE).bars())
                .extracting(TimelineRow.Bar::name, TimelineRow.Bar::nameX, TimelineRow.Bar::nameWidth)
                .containsExactly(
                        tuple("long()", 0.0, 40.0), tuple("later()", 50.0, 15.0), tuple("failed()", 40.0, 10.0));
    }

    @Test
    void drawsWaitButNoBarOfLeasingClass() {
        // given
        test("infers()", TestOutcome.PASSED, 10, 0, 10, CORE);
        recorded(new TestId("[engine:junit-jupiter]/[class:A]", "A"), TestOutcome.PASSED, 0, 10, 20, "{}", CORE);

        // then
        assertThat(row(CORE).bars()).extracting(TimelineRow.Bar::name).containsExactly("infers()");
        assertThat(row(CORE).waits())
                .extracting(TimelineRow.Bar::description)
                .containsExactly("A waited 10.0 s for cores");
        assertThat(row(CORE).description()).isEqualTo("1 test");
    }

    @Test
    void joinsManyNeighboursAndNamesFailure() {
        // given
        IntStream.range(0, 1200)
                .forEach(i -> test(
                        "t%s()".formatted(i), i == 600 ? TestOutcome.FAILED : TestOutcome.PASSED, 10 * i, 1, 9, CORE));

        // when
        TimelineRow row = row(CORE);

        // then
        assertThat(row.bars()).extracting(TimelineRow.Bar::kind).containsExactly("passed", "passed", "failed");
        assertThat(row.bars().get(2).description()).startsWith("10 tests, 1 failed: t600()");
        assertThat(row.bars().get(2).link()).isEqualTo("t1");
        assertThat(row.bars().get(0).name()).isEqualTo("600 tests");
        assertThat(row.waits()).extracting(TimelineRow.Bar::description).containsExactly("1200 tests waited for cores");
    }

    @Test
    void omitsWaitTooShortToSee() {
        // given
        test("long()", TestOutcome.PASSED, 0, 1, 9999, CORE);
        IntStream.range(0, 100).forEach(i -> test("t" + i, TestOutcome.PASSED, 90 * i, 1, 9, "neuron0/neuron_core1"));

        // then
        assertThat(row(CORE).waits()).isEmpty();
        assertThat(row(CORE).bars().get(0).description()).endsWith(", waited 1.0 s");
        assertThat(row("neuron0/neuron_core1").waits()).isEmpty();
    }

    @Test
    void limitsRowsAndBarsOfManyTests() {
        // given
        TestOutcome[] outcomes = {TestOutcome.PASSED, TestOutcome.FAILED, TestOutcome.UNDECIDED};
        IntStream.range(0, 200_000)
                .forEach(i -> test(
                        "t" + i,
                        outcomes[i / 5000 % 3],
                        i,
                        i / 7000 % 2 * 50,
                        52,
                        "neuron%s/neuron_core%s".formatted(i % 64, i / 64 % 2)));

        // when
        List<TimelineRow> rows = rows();

        // then
        assertThat(rows).hasSize(PageTimeline.MOST_ROWS).allSatisfy(row -> {
            assertThat(row.bars()).hasSizeBetween(2, TimelineRow.PIECES);
            assertThat(row.waits()).hasSizeBetween(1, TimelineRow.PIECES);
        });
        assertThat(timeline().notDrawn())
                .isEqualTo(
                        "88 rows more, 88 of them with a failure, an error or a quarantine: see the table of cores.");
    }

    @Test
    void prefersCoresWithFailureErrorOrQuarantine() {
        // given
        IntStream.range(0, 100)
                .forEach(i -> test("t" + i, TestOutcome.PASSED, i, 0, 1, "neuron%s/neuron_core0".formatted(i)));
        test("bad()", TestOutcome.LOST, 100, 0, 1, "neuron97/neuron_core0");
        recorded("moves()", TestOutcome.PASSED, 100, 0, 1, moved("neuron98/neuron_core0", "status/hw_error"));
        quarantines.add(new ReportedQuarantine(
                RunFixture.HOST,
                "neuron99/neuron_core0",
                "bad()",
                "hw_error rose by 3",
                false,
                after(50),
                Optional.empty()));

        // when
        PageTimeline timeline = timeline();

        // then
        assertThat(rows())
                .hasSize(PageTimeline.MOST_ROWS)
                .extracting(row -> row.core().name())
                .startsWith("neuron0/neuron_core0")
                .endsWith(
                        "neuron36/neuron_core0",
                        "neuron97/neuron_core0",
                        "neuron98/neuron_core0",
                        "neuron99/neuron_core0");
        assertThat(timeline.notDrawn())
                .isEqualTo(
                        "60 rows more, none of them with a failure, an error or a quarantine: see the table of cores.");
        assertThat(row("neuron99/neuron_core0").quarantines())
                .extracting(TimelineRow.Bar::description)
                .containsExactly("in quarantine since 02:10:50: hw_error rose by 3");
    }

    @Test
    void marksAnErrorOfADeviceOnARowOfTheDevice() {
        // given
        recorded("a()", TestOutcome.PASSED, 0, 0, 10, moved("neuron0", "hardware/mem_ecc_uncorrected"), CORE);

        // then
        assertThat(rows()).extracting(row -> row.core().name()).containsExactly("neuron0", CORE);
        assertThat(row("neuron0").isThin()).isTrue();
        assertThat(row("neuron0").description()).isEqualTo("1 error");
        assertThat(row("neuron0").errors())
                .extracting(TimelineRow.ErrorMark::description)
                .containsExactly("neuron0 hardware/mem_ecc_uncorrected +2, a()");
        assertThat(row(CORE).description()).isEqualTo("1 test");
    }

    @Test
    void marksAnErrorOfAPhysicalCoreOnItsLogicalCore() {
        // given
        String logical = "core 5 (neuron1/neuron_core2, neuron1/neuron_core3)";
        recorded("a()", TestOutcome.PASSED, 0, 0, 10, moved("neuron1/neuron_core3", "status/hw_error"), logical);

        // then
        assertThat(rows()).hasSize(1);
        assertThat(row(logical).core().shortName()).isEqualTo("core 5 (neuron1)");
        assertThat(row(logical).description()).isEqualTo("1 error");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-11-21T02:10:00Z | 0.7   | +200 ms +400 ms +600 ms",
                "2026-11-21T02:10:00.123456Z | 0.7 | +200 ms +400 ms +600 ms",
                "2026-11-21T02:10:00Z | 3     | 02:10:00 02:10:01 02:10:02 02:10:03",
                "2026-11-21T02:10:03Z | 60    | 02:10:15 02:10:30 02:10:45 02:11:00",
                "2026-11-21T02:10:03Z | 3000  | 02:20 02:30 02:40 02:50 03:00",
                "2026-11-21T22:10:03Z | 20000 | 23:00 00:00 01:00 02:00 03:00",
                "2026-11-21T22:10:03Z | 2e6   | 23 Nov 28 Nov 3 Dec 8 Dec 13 Dec"
            })
    void hasAnAxisOfRoundTimes(Instant start, double seconds, String labels) {
        // given
        TimeAxis axis = new TimeAxis(start, start.plusMillis(Math.round(seconds * 1000)));

        // then
        assertThat(String.join(
                        " ", axis.ticks().stream().map(TimeAxis.Tick::label).toList()))
                .isEqualTo(labels);
        assertThat(axis.ticks()).extracting(TimeAxis.Tick::x).isSorted().allMatch(x -> x >= 0 && x <= 100);
    }
}
