package dev.neurontest.internal.profile.threshold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.internal.page.PageTemplate;
import dev.neurontest.internal.profile.report.ProfileJson;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.Profile;
import org.junit.jupiter.api.Test;

class RooflineTest {

    private static String drawn(Roofline roofline) {
        return PageTemplate.of(ProfileJson.class, "roofline").fill(roofline);
    }

    @Test
    void matchesAchievableShareReportedByTool() {
        // given
        Profile matvec = MeasuredFixture.sample("summary-json_partial_inf2_2.28_matvec.json");

        // when
        Roofline roofline = Roofline.of(matvec).orElseThrow();

        // then
        assertThat(roofline.attainable())
                .isCloseTo(
                        matvec.number("mfu_inst_max_achievable_estimated_percent")
                                .orElseThrow(),
                        within(1e-12));
        assertThat(roofline.text())
                .isEqualTo(
                        "Memory bound: 15.8 flops for each byte of HBM, and below 224 the memory is the limit. It reaches 0.977 % of the peak, which is 13.8 % of the 7.1 % that it could (mfu_inst_estimated_percent).");
    }

    @Test
    void recognizesComputeBoundModel() {
        // given
        Profile model = MeasuredFixture.sample("explorer_summary-partial_trn2_llm-context-graph.json");

        // then
        assertThat(Roofline.of(model).orElseThrow().text())
                .isEqualTo(
                        "Compute bound: 450 flops for each byte of HBM, and from 110 on computing is the limit. It reaches 6.3 % of the peak, which is 6.3 % of the 100 % that it could (mfu_estimated_percent).");
    }

    @Test
    void isAbsentWithoutMatrixMultiplications() {
        // then
        assertThat(Roofline.of(MeasuredFixture.sample("summary-json_derived_trn2_2.25_transpose_1024.json")))
                .isEmpty();
        assertThat(Roofline.of(MeasuredFixture.sample("explorer_summary-trimmed_trn2_2026-08.json")))
                .isEmpty();
    }

    @Test
    void placesThePointBelowTheKneeOfTheRoof() {
        // given
        Roofline atTheKnee = new Roofline(100, 100, 0.1, "hfu_estimated_percent");

        // then
        assertThat(atTheKnee.attainable()).isEqualTo(1);
        assertThat(drawn(atTheKnee)).contains("<polyline class=\"roof\" points=\"46,97.00 147.33,14.00 350,14.00\"/>");
        assertThat(drawn(atTheKnee)).contains("<circle class=\"here\" cx=\"147.33\" cy=\"97.00\" r=\"5\"/>");
    }

    @Test
    void drawsPointAbovePeakInsidePicture() {
        // then
        assertThat(drawn(new Roofline(300, 100, 1.0967, "hfu_estimated_percent")))
                .contains("1000 %")
                .doesNotContainPattern("c?y[12]?=\"-");
    }

    @Test
    void requiresIntensityAndBalancePoint() {
        // given
        String mfu = "mfu_estimated_percent";

        // then
        assertThat(Roofline.of(MeasuredFixture.of("mm_arithmetic_intensity", 50, mfu, 0.25)
                        .profile()))
                .isEmpty();
        assertThat(Roofline.of(MeasuredFixture.of("peak_flops_bandwidth_ratio", 100, mfu, 0.25)
                        .profile()))
                .isEmpty();
        assertThat(Roofline.of(
                        MeasuredFixture.of("mm_arithmetic_intensity", 50, "peak_flops_bandwidth_ratio", 100, mfu, 0.25)
                                .profile()))
                .contains(new Roofline(50, 100, 0.25, mfu));
    }

    @Test
    void isComputeBoundFromKneeOn() {
        // then
        assertThat(new Roofline(100, 100, 0.1, "").text()).startsWith("Compute bound");
        assertThat(new Roofline(99.9, 100, 0.1, "").text()).startsWith("Memory bound");
    }

    @Test
    void drawsPowersOfTenAroundThePoint() {
        // when
        Roofline.Chart chart = new Roofline(100, 100, 0.1, "").chart();

        // then
        assertThat(chart.levels())
                .extracting(Roofline.Mark::label, Roofline.Mark::at)
                .containsExactly(tuple("100", 14.0), tuple("10", 97.0), tuple("1", 180.0));
        assertThat(chart.intensities()).extracting(Roofline.Mark::label).containsExactly("10", "100", "1000", "10,000");
        assertThat(chart.intensities().get(0).at()).isEqualTo(46);
        assertThat(chart.intensities().get(3).at()).isEqualTo(350);
        assertThat(chart.reached()).isEqualTo("10 %");
        assertThat(chart.attainable()).as("no gap above the roof").isEqualTo(chart.roof());
    }

    @Test
    void omitsLevelsInHighPicture() {
        // when
        Roofline.Chart chart = new Roofline(1000, 10, 1.6e-6, "").chart();

        // then
        assertThat(chart.levels()).extracting(Roofline.Mark::label).containsExactly("100", "1", "0.01", "0.0001");
        assertThat(chart.levels().get(3).at()).isEqualTo(180);
    }

    @Test
    void pictureStartsBelowRoofAtLeft() {
        // given
        Roofline lowRoof = new Roofline(0.5, 200, 0.001, "");

        // then
        assertThat(lowRoof.chart().roofBegins()).isBetween(97.0, 180.0);
        assertThat(lowRoof.chart().low()).isEqualTo(-5);
    }

    @Test
    void pictureExceedsPeakOnlyForPointAboveIt() {
        // then
        assertThat(new Roofline(100, 100, 1, "").chart().high()).isZero();
        assertThat(new Roofline(100, 100, 1.01, "").chart().high()).isOne();
    }

    @Test
    void placesLabelWhereThereIsRoom() {
        // given
        Roofline.Chart atTheLeft = new Roofline(100, 100, 0.1, "").chart();
        Roofline.Chart atTheRight = new Roofline(1000, 10, 0.1, "").chart();
        Roofline.Chart atTheBottom = new Roofline(1000, 10, 1.6e-6, "").chart();
        Roofline.Chart inTheMiddle = new Roofline(Math.pow(10, 2.5), Math.pow(10, 2.5), 0.1, "").chart();

        // then
        assertThat(atTheLeft.isAtTheRight()).isFalse();
        assertThat(atTheLeft.textX()).isCloseTo(157.33, within(0.01));
        assertThat(atTheLeft.textY()).isEqualTo(101);
        assertThat(atTheRight.isAtTheRight()).isTrue();
        assertThat(atTheRight.textX()).isCloseTo(218.4, within(0.01));
        assertThat(atTheBottom.textY()).as("above the axis").isEqualTo(174);
        assertThat(inTheMiddle.x()).isEqualTo(198);
        assertThat(inTheMiddle.isAtTheRight()).isFalse();
    }
}
