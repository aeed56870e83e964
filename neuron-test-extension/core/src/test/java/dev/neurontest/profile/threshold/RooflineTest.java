package dev.neurontest.profile.threshold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.page.PageTemplate;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.report.ProfileJson;
import org.junit.jupiter.api.Test;

class RooflineTest {

    private static String drawn(Roofline roofline) {
        return PageTemplate.of(ProfileJson.class, "roofline").fill(roofline);
    }

    @Test
    void agreesWithWhatTheToolSaysIsAchievable() {
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
    void knowsWhatIsComputeBound() {
        // given
        Profile model = MeasuredFixture.sample("explorer_summary-partial_trn2_llm-context-graph.json");

        // then
        assertThat(Roofline.of(model).orElseThrow().text())
                .isEqualTo(
                        "Compute bound: 450 flops for each byte of HBM, and from 110 on computing is the limit. It reaches 6.3 % of the peak, which is 6.3 % of the 100 % that it could (mfu_estimated_percent).");
    }

    @Test
    void isNotThereWithoutMatrixMultiplications() {
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
    void drawsWhatIsOverThePeakInsideThePicture() {
        // then
        assertThat(drawn(new Roofline(300, 100, 1.0967, "hfu_estimated_percent")))
                .contains("1000 %")
                .doesNotContainPattern("c?y[12]?=\"-");
    }
}
