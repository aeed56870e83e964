package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProfileJsonTest {

    @Test
    void keepsEverythingAsTheToolWroteIt() {
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
                .run(new ToolRun(List.of("neuron-explorer", "view"), "exit 0", Duration.ofMillis(1500), "log"))
                .profile();

        // when
        JsonNode json = JsonMapper.shared().readTree(profile.toJson());

        // then
        assertThat(json).isEqualTo(JsonMapper.shared().readTree("""
                {"version":1,"kind":"profile","title":"resnet50.neff","capture":"replay","tool":"neuron-explorer 2.32.7.0",
                 "folder":"/out/resnet50","doubts":[{"kind":"other_neff","reason":"Another \\"NEFF\\"."}],"notices":["Two\\nlines."],
                 "executions":[
                  {"rank":3,"index":1,"neff":"/models/resnet50.neff","ntff":"/out/resnet50/profile_rank_3_exec_1.ntff",
                   "key":"n_8626d546eca84cd4e976c1062dacf487d24bc675",
                   "metrics":{"total_time":2.6416626E-5,"hbm_read_bytes":4210688,"warp_ratio":0.5,"instance_type":"trn2"},
                   "oddities":[],"doubts":[]},
                  {"rank":null,"index":1,"neff":"/models/resnet50.neff","ntff":"/out/resnet50/profile_exec_1.ntff",
                   "key":"n_8626d546eca84cd4e976c1062dacf487d24bc675","metrics":{"total_time":-1},
                   "oddities":["mfu_estimated_percent: NaN"],"doubts":[]}],
                 "helpers":[],"units":{"hbm_read_bytes":"bytes","instance_type":"text","total_time":"s"},
                 "runs":[{"command":["neuron-explorer","view"],"end":"exit 0","tookMillis":1500,"log":"log"}]}
                """));
    }
}
