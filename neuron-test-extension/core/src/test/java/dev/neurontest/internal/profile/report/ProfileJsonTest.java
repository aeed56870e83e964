package dev.neurontest.internal.profile.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.MetricExpectation;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileExpectations;
import dev.neurontest.profile.ToolRun;
import dev.neurontest.runtime.RuntimeReport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProfileJsonTest {

    @Test
    void containsAllValuesAsWrittenByTool() {
        // given
        Profile profile = MeasuredFixture.nothing()
                .rank(
                        3,
                        "total_time",
                        2.6416626e-05,
                        "hbm_read_bytes",
                        4210688,
                        "warp_ratio",
                        0.5,
                        "instance_type",
                        "trn2")
                .odd("mfu_estimated_percent: NaN", "total_time", -1)
                .doubt(Doubt.Kind.OTHER_NEFF, "Another \"NEFF\".")
                .notice("Two\nlines.")
                .run(new ToolRun(
                        List.of("neuron-explorer", "view"),
                        "exit 0",
                        Duration.ofMillis(1500),
                        "log",
                        RuntimeReport.EMPTY))
                .profile();

        // when
        JsonNode json = JsonMapper.shared().readTree(profile.toJson());

        // then
        assertThat(json).isEqualTo(JsonMapper.shared().readTree("""
                {"version":1,"kind":"profile","title":"resnet50.neff","capture":"replay","tool":"neuron-explorer 2.32.7.0",
                 "folder":"/out/resnet50","doubts":[{"kind":"other_neff","reason":"Another \\"NEFF\\"."}],"notices":["Two\\nlines."],
                 "executions":[
                  {"rank":3,"index":1,"neff":"/models/resnet50.neff","ntff":"/out/resnet50/profile_rank_3_exec_1.ntff",
                   "view":"neuron-explorer view -n /models/resnet50.neff -s /out/resnet50/profile_rank_3_exec_1.ntff",
                   "key":"n_8626d546eca84cd4e976c1062dacf487d24bc675",
                   "metrics":{"total_time":2.6416626E-5,"hbm_read_bytes":4210688,"warp_ratio":0.5,"instance_type":"trn2"},
                   "oddities":[],"doubts":[]},
                  {"rank":null,"index":1,"neff":"/models/resnet50.neff","ntff":"/out/resnet50/profile_exec_1.ntff",
                   "view":"neuron-explorer view -n /models/resnet50.neff -s /out/resnet50/profile_exec_1.ntff",
                   "key":"n_8626d546eca84cd4e976c1062dacf487d24bc675","metrics":{"total_time":-1},
                   "oddities":["mfu_estimated_percent: NaN"],"doubts":[]}],
                 "helpers":[],"units":{"hbm_read_bytes":"bytes","instance_type":"text","total_time":"s"},
                 "runs":[{"command":["neuron-explorer","view"],"end":"exit 0","tookMillis":1500,"log":"log"}]}
                """));
    }

    @Test
    void containsOutcomeOfViolatedThreshold() {
        // given
        Profile profile = MeasuredFixture.nothing().and("total_time", 0.018).profile();
        ProfileExpectations rules = ProfileExpectations.builder()
                .expect(MetricExpectation.of("total_time", "17 ms", "", "median"))
                .build();

        // when
        JsonNode json = JsonMapper.shared().readTree(ProfileJson.of(profile, rules.outcomes(profile)));

        // then
        JsonNode violated = json.get("thresholds").get(0);
        assertThat(violated.get("metric").asString()).isEqualTo("total_time");
        assertThat(violated.get("outcome").asString()).isEqualTo("violated");
        assertThat(violated.get("value").asDouble()).isEqualTo(0.018);
        assertThat(violated.get("bound").asDouble()).isEqualTo(0.017);
        assertThat(violated.get("unit").asString()).isEqualTo("s");
        assertThat(violated.get("shown").asString()).isEqualTo("18 ms");
        assertThat(violated.get("limit").asString()).isEqualTo("at most 17 ms");
        assertThat(violated.get("margin").asString()).contains("%");
    }

    @Test
    void containsOutcomeOfUndecidedThreshold() {
        // given
        Profile profile = MeasuredFixture.nothing()
                .and("total_time", 0.018)
                .doubt(Doubt.Kind.THROTTLED, "Hot.")
                .profile();
        ProfileExpectations rules = ProfileExpectations.builder()
                .expect(MetricExpectation.of("total_time", "17 ms", "", "median"))
                .build();

        // when
        JsonNode json = JsonMapper.shared().readTree(ProfileJson.of(profile, rules.outcomes(profile)));

        // then
        assertThat(json.get("thresholds").get(0).get("outcome").asString()).isEqualTo("undecided");
    }
}
