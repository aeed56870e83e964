package dev.neurontest.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LineProtocolTest {

    private static List<ParsedLine> read(RunPoints points) {
        return LineProtocol.of(points).lines().map(ParsedLine::of).toList();
    }

    @Test
    void aNumberIsAPointWithWhatIsKnownOfIt() {
        // when
        ParsedLine line = read(ExportFixture.ordinary()).get(0);

        // then
        assertThat(line)
                .isEqualTo(new ParsedLine(
                        "neuron.test.metric.total_time",
                        Map.of(
                                "branch", "main",
                                "commit", "abc1234",
                                "driver", "2.30",
                                "instance_type", "trn2.48xlarge",
                                "neuron.driver", "2.30",
                                "neuron.instance", "trn1.2xlarge",
                                "neuron.platform", "real",
                                "test", "infer()",
                                "test_class", "com.acme.BertTest"),
                        Map.of("value", 0.017),
                        ExportFixture.ENDED.getEpochSecond() * 1_000_000_000));
    }

    @Test
    void everyNumberIsOneLine() {
        // then
        assertThat(read(ExportFixture.ordinary()))
                .hasSameSizeAs(ExportFixture.ordinary().points());
    }

    @Test
    void whatHasNoFormInATagIsReplacedAndEmptyTagsAreLeftOut() {
        // when
        ParsedLine line = read(ExportFixture.hostile()).get(0);

        // then
        assertThat(line.tags())
                .contains(entry("test", "a=b, \"c\" /d/ {e} #f ü"), entry("job", "x"))
                .doesNotContainKey("empty");
    }

    @Test
    void theParserOfThisTestRefusesWhatIsNotEscaped() {
        // then
        for (String broken : List.of(
                "m,t=a b value=1.0 1",
                "m,t=a=b value=1.0 1",
                "m,t= value=1.0 1",
                "m,t=a value=1.0",
                "m,t=a,u value=1 1")) {
            assertThatIllegalArgumentException().as(broken).isThrownBy(() -> ParsedLine.of(broken));
        }
    }
}
