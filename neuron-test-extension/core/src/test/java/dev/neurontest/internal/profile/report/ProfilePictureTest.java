package dev.neurontest.internal.profile.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.MeasuredTest;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Latency;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.MetricExpectation;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileExpectations;
import dev.neurontest.profile.TableColumn;
import dev.neurontest.profile.TableRows;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

class ProfilePictureTest {

    private static final String MATVEC = "summary-json_partial_inf2_2.28_matvec.json";

    private static String picture(Profile profile, MetricExpectation... thresholds) {
        ProfileExpectations.Builder rules = ProfileExpectations.builder();
        List.of(thresholds).forEach(rules::expect);
        return ProfilePicture.html(
                test(rules.build().judge(profile), true), profile, rules.build().outcomes(profile), List.of());
    }

    private static MeasuredTest test(Judgement found, boolean passed) {
        return new MeasuredTest("LlamaTest > tokens()", List.of("neuron0/neuron_core1"), found, passed);
    }

    /** Parses the page as XML, without its first lines, to find missing ends and quotes. */
    private static Document parsed(String html) throws Exception {
        String body = html.substring(html.indexOf("<body>"), html.indexOf("</html>"));
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                MATVEC,
                "summary-json_derived_trn2_2.25_transpose_1024.json",
                "summary-json_derived_trn2_2.25_vecadd_fd1k.json",
                "summary-json_partial_trn1_2.29_vector-kernel.json",
                "explorer_summary-trimmed_trn2_2026-08.json",
                "explorer_summary-partial_trn2_llm-context-graph.json"
            })
    void pageIsSelfContained(String sample) throws Exception {
        // when
        String html =
                picture(MeasuredFixture.sample(sample), MetricExpectation.latency(Latency.TOTAL, "1 ms", "median"));

        // then
        assertThat(html)
                .contains("default-src 'none'")
                .doesNotContain("<script")
                .doesNotContain("<link")
                .doesNotContain("<img")
                .doesNotContain("url(")
                .doesNotContain("http://")
                .doesNotContain("https://")
                .doesNotContain("NaN");
        assertThat(parsed(html).getElementsByTagName("svg").getLength()).isPositive();
    }

    @Test
    void escapesForeignText() throws Exception {
        // given
        String hostile = "<script>alert(1)</script>\"'&\u0001\u202e.neff";
        Profile profile = MeasuredFixture.nothing()
                // The title is a file name, which has only ASCII characters without a locale.
                .title(hostile.replace("\u202e", ""))
                .and("total_time", 0.01)
                .rank(1, "total_time", 0.01, "instance_type", hostile, "throttle_<b>_active_time_nc0_percent", 0.5)
                .doubt(Doubt.Kind.THROTTLED, hostile)
                .notice(hostile)
                .profile();

        // when
        String html = picture(
                profile,
                MetricExpectation.of("total_time", "1 s", "", "median", hostile),
                MetricExpectation.of(hostile, "1", "", "median"));

        // then
        assertThat(html).doesNotContain("<script").doesNotContain("<b>_").doesNotContain("\u0001");
        assertThat(parsed(html).getDocumentElement().getTextContent())
                .contains("<script>alert(1)</script>\"'&\\u0001\\u202e");
    }

    @Test
    void showsCommandThatOpensViewer() throws Exception {
        // when
        String html = picture(MeasuredFixture.nothing()
                .title("it's one.neff")
                .and("total_time", 0.01)
                .profile());

        // then
        assertThat(parsed(html).getElementsByTagName("code").item(0).getTextContent())
                .isEqualTo("neuron-explorer view -n '/models/it'\\''s one.neff' -s /out/resnet50/profile_exec_1.ntff");
    }

    @Test
    void textOfLimitIsAtItsLine() {
        // when
        String html =
                picture(MeasuredFixture.sample(MATVEC), MetricExpectation.of("total_time", "155 us", "", "median"));

        // then
        assertThat(html)
                .containsPattern(
                        "<line class=\"margin\" x1=\"([0-9.]+)%\" x2=\"\\1%\"[^>]*/><text x=\"\\1%\"[^>]*>at most 155");
    }

    @Test
    void showsThresholdsWithTheirMargins() {
        // when
        String html = picture(
                MeasuredFixture.sample(MATVEC),
                MetricExpectation.of("total_time", "155 us", "", "median"),
                MetricExpectation.of("mbu_estimated_percent", "", "20 %", "median"),
                MetricExpectation.of("total_exec_time", "1 s", "", "median"));

        // then
        assertThat(html)
                .contains("<span class=\"value is-kept\">\u2713 149.71 \u00b5s, 3.4 % left</span>")
                .contains("<span class=\"value is-violated\">\u2717 13.8 %, 6.2 points short</span>")
                .contains("<span class=\"value is-violated\">\u2717 violated: absent</span>");
    }

    @Test
    void distinguishesAbsentMetricFromZero() {
        // when
        String html = picture(MeasuredFixture.sample(MATVEC));

        // then
        assertThat(html)
                .contains("<span class=\"label\">DMA</span><span></span><span class=\"value\">not written</span>")
                .contains("<span class=\"value\">0 B</span>");
    }

    @Test
    void showsDoubtsFirst() {
        // given
        Profile profile = MeasuredFixture.of("total_time", 0.01)
                .doubt(Doubt.Kind.DROPPED_NOTIFICATIONS, "1204 trace events were dropped.")
                .profile();

        // when
        String html = picture(profile, MetricExpectation.of("total_time", "1 s", "", "median"));

        // then
        assertThat(html)
                .containsSubsequence(
                        "<div class=\"doubt\" role=\"alert\">",
                        "In doubt: all expectations on this profile",
                        "1204 trace events were dropped.",
                        "class=\"tiles\"",
                        "? undecided");
    }

    @Test
    void drawsTheSameInEveryLocale() {
        // given
        Profile profile = MeasuredFixture.sample(MATVEC);
        Locale before = Locale.getDefault();
        String english = picture(profile);

        // when
        Locale.setDefault(Locale.GERMANY);
        String german;
        try {
            german = picture(profile);
        } finally {
            Locale.setDefault(before);
        }

        // then
        assertThat(german).isEqualTo(english).contains("width=\"89.51%\"");
    }

    @Test
    void showsTheExecutionsOfEachRank() {
        // given
        Profile profile = MeasuredFixture.nothing()
                .rank(0, "total_time", 0.010)
                .rank(0, "total_time", 0.012)
                .rank(1, "total_time", 0.020)
                .profile();

        // when
        String html = picture(profile);

        // then
        assertThat(html)
                .contains("2 executions from 9 ms to 21 ms", "1 execution from 10 ms to 12 ms", "rank 1")
                .contains("11 ms median")
                .contains("3 executions \u00b7 2 ranks");
    }

    @Test
    void beginsWithTheTestItsVerdictAndItsCores() throws Exception {
        // when
        String html = picture(
                MeasuredFixture.sample(MATVEC),
                MetricExpectation.of("total_time", "155 us", "", "median"),
                MetricExpectation.of("mbu_estimated_percent", "", "20 %", "median", "@MinMbu(\"20 %\")"));

        // then
        assertThat(parsed(html).getDocumentElement().getTextContent().strip())
                .containsSubsequence(
                        "failed LlamaTest > tokens()",
                        "Violated: @MinMbu(\"20 %\")",
                        "neuron0/neuron_core1",
                        "resnet50.neff",
                        "neuron-explorer 2.32.7.0");
        assertThat(html).contains("<h1><span class=\"verdict failed\">failed</span>");
    }

    @Test
    void putsWholePageInMainLandmark() throws Exception {
        // when
        NodeList parts = parsed(picture(MeasuredFixture.sample(MATVEC)))
                .getDocumentElement()
                .getElementsByTagName("*");

        // then
        assertThat(parts.item(0).getNodeName()).isEqualTo("main");
        assertThat(parts.item(0).getParentNode().getTextContent().strip())
                .isEqualTo(parts.item(0).getTextContent().strip());
    }

    @Test
    void breaksLongNamesBetweenWordsButNotOptions() {
        // given
        Profile profile = MeasuredFixture.of("total_time", 0.01).profile();

        // when
        String html = ProfilePicture.html(
                new MeasuredTest(
                        "LlamaInferenceAtLargeBatchesTest > tokens() --lnc-size 2", List.of(), Judgement.NOTHING, true),
                profile,
                ProfileExpectations.builder()
                        .expect(MetricExpectation.of("tensor_engine_wait_time", "1 s", "", "median"))
                        .build()
                        .outcomes(profile),
                List.of());

        // then
        assertThat(html)
                .contains(
                        "Llama<wbr/>Inference<wbr/>At<wbr/>Large<wbr/>Batches<wbr/>Test &gt; tokens() <span class=\"option\">--lnc-size</span> 2",
                        "<span class=\"label\">tensor_<wbr/>engine_<wbr/>wait_<wbr/>time<br/>");
    }

    @Test
    void showsViolatedThresholdFirst() throws Exception {
        // when
        String html = picture(
                MeasuredFixture.sample(MATVEC),
                MetricExpectation.of("total_time", "155 us", "", "median"),
                MetricExpectation.of("mbu_estimated_percent", "", "20 %", "median", "@MinMbu(\"20 %\")"));

        // then
        assertThat(parsed(html).getDocumentElement().getTextContent())
                .containsSubsequence(
                        "violated mbu_estimated_percent",
                        "13.8 %",
                        "value",
                        "at least 20 %",
                        "limit",
                        "6.2 points short",
                        "margin",
                        "1 execution",
                        "MFU",
                        "Thresholds",
                        "mbu_estimated_percent",
                        "total_time",
                        "Engines");
    }

    @Test
    void showsViolationsBeforeDoubts() throws Exception {
        // given
        Profile profile = MeasuredFixture.of("total_time", 0.01, "spill_save_bytes", 4096)
                .doubt(Doubt.Kind.THROTTLED, "The device was throttled.")
                .profile();

        // when
        String html = picture(
                profile,
                MetricExpectation.of("total_time", "1 s", "", "median"),
                MetricExpectation.of("spill_save_bytes", "0 B", "", "median"));

        // then
        assertThat(parsed(html).getDocumentElement().getTextContent())
                .containsSubsequence(
                        "Violated: @Threshold(metric = \"spill_save_bytes\"",
                        "Undecided: @Threshold(metric = \"total_time\"",
                        "violated spill_save_bytes",
                        "The device was throttled.",
                        "? undecided");
    }

    @Test
    void showsViolationsOfOtherExpectations() throws Exception {
        // given
        Violation roofline = new Violation("@MinOfRoofline(\"70 %\")", "roofline", "70 %", "35 %", "See below.");
        Profile profile = MeasuredFixture.sample(MATVEC);
        ProfileExpectations rules = ProfileExpectations.builder()
                .expect(MetricExpectation.of("total_time", "155 us", "", "median"))
                .build();

        // when
        String html = ProfilePicture.html(
                test(new Judgement(List.of(roofline), List.of(), List.of()), false),
                profile,
                rules.outcomes(profile),
                List.of());

        // then
        assertThat(parsed(html).getDocumentElement().getTextContent())
                .containsSubsequence(
                        "failed LlamaTest",
                        "Violated: @MinOfRoofline(\"70 %\")",
                        "violated roofline",
                        "Expected 70 %, was 35 %.",
                        "See below.",
                        "kept total_time");
    }

    @Test
    void showsDigestOfTables() throws Exception {
        // given
        TableColumn place = new TableColumn("line", "VARCHAR", Optional.empty());
        TableColumn time = new TableColumn("duration_ns", "BIGINT", Optional.of(Unit.NANOSECONDS));
        ParquetDigest digest = new ParquetDigest(
                Path.of("/out/resnet50/profile_exec_1-tables"),
                "12.0.1",
                List.of(
                        new ParquetDigest.Part(
                                "Source lines by time",
                                Optional.of(new TableRows(
                                        "select",
                                        List.of(place, time),
                                        List.of(List.of("<b>.py:1", 1_800_000L), List.of("mlp.py:2", 900_000L)),
                                        false)),
                                ""),
                        new ParquetDigest.Part(
                                "Hardware errors",
                                Optional.of(new TableRows(
                                        "select",
                                        List.of(place, new TableColumn("times", "BIGINT", Optional.empty())),
                                        List.of(List.of("DMA abort", 1L)),
                                        false)),
                                ""),
                        new ParquetDigest.Part("Warnings", Optional.empty(), "The table Warning is cut short.")),
                List.of("throttling"));
        Profile profile = MeasuredFixture.sample(MATVEC);

        // when
        String html = ProfilePicture.html(test(Judgement.NOTHING, true), profile, List.of(), List.of(digest));

        // then
        assertThat(parsed(html).getDocumentElement().getTextContent())
                .containsSubsequence(
                        "Contents of the tables",
                        "profile_exec_1-tables, schema 12.0.1",
                        "Not in the tables: throttling.",
                        "Source lines by time",
                        "<b>.py:1",
                        "1.8 ms",
                        "mlp.py:2",
                        "Hardware errors",
                        "DMA abort (1 time)",
                        "Warnings",
                        "They could not be read. The table Warning is cut short.");
        assertThat(html).contains("<rect class=\"fill\" width=\"50.00%\"");
        assertThat(picture(profile)).doesNotContain("Contents of the tables");
    }

    @Test
    void neverCallsTestPassedThatFailedOtherwise() {
        // given
        Profile profile = MeasuredFixture.sample(MATVEC);

        // when
        String html = ProfilePicture.html(test(Judgement.NOTHING, false), profile, List.of(), List.of());

        // then
        assertThat(html)
                .contains("<span class=\"verdict kept\">kept</span>", "The test did not pass for another reason.")
                .doesNotContain(">passed<");
        assertThat(picture(profile)).contains("<span class=\"verdict passed\">passed</span>");
    }

    @Test
    void rendersProfileWithoutExecutions() throws Exception {
        // given
        Profile profile = MeasuredFixture.nothing()
                .doubt(Doubt.Kind.NOT_CAPTURED, "The tool was ended at its deadline.")
                .profile();

        // when
        String html = picture(profile, MetricExpectation.of("total_time", "17 ms", "", "median"));

        // then
        assertThat(parsed(html).getDocumentElement().getTextContent())
                .contains("0 executions", "The tool was ended at its deadline.", "? undecided")
                .doesNotContain("Engines");
    }
}
