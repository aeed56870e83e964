package dev.neurontest.baseline;

import static dev.neurontest.baseline.ComparedFixture.QUIET;
import static dev.neurontest.baseline.ComparedFixture.SPILL;
import static dev.neurontest.baseline.ComparedFixture.TIME;
import static dev.neurontest.baseline.ComparedFixture.against;
import static dev.neurontest.baseline.ComparedFixture.fed;
import static dev.neurontest.baseline.ComparedFixture.rejected;
import static dev.neurontest.baseline.ComparedFixture.times;
import static dev.neurontest.baseline.ComparedFixture.withoutBaseline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ComparisonJsonTest {

    static Stream<Comparison> comparisons() {
        RunComparison slower = against(TIME, QUIET).on(LocalDate.of(2027, 1, 1)).ofNeff("bbbb");
        slower.add(rejected(0.034, "throttled for 40 % of the time, \"again\""));
        return Stream.of(
                fed(slower, times(1.05, QUIET)).result(),
                fed(against(TIME, QUIET), times(0.9, QUIET)).result(),
                fed(against(SPILL, 0), 4096).result(),
                against(TIME, QUIET).result(),
                fed(withoutBaseline(TIME, Optional.of(Stack.of(Map.of("driver", "2.29")))), QUIET)
                        .result());
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void isReadAsItWasWritten(Comparison comparison) {
        // when, then
        assertThat(ComparisonJson.read(ComparisonJson.write(comparison))).isEqualTo(comparison);
    }

    @Test
    void isOneObjectOfVersionOne() {
        // when
        String json = ComparisonJson.write(fed(against(SPILL, 4096), 4096).result());

        // then
        assertThat(json)
                .isEqualTo(
                        "{\"version\":1,\"testClass\":\"com.acme.BertTest\",\"test\":\"inference(int)[1]\",\"metric\":{"
                                + "\"name\":\"spill_save_bytes\",\"unit\":\"bytes\",\"better\":\"lower\",\"noise\":\"fixed\"},"
                                + "\"stack\":{\"driver\":\"2.30\",\"instance\":\"trn2.48xlarge\",\"lnc\":\"2\"},"
                                + "\"outcome\":\"not_worse\",\"reason\":\"same\",\"margin\":0.0,"
                                + "\"baseline\":{\"runs\":[4096.0],\"iterationsPerRun\":30},"
                                + "\"sample\":{\"runs\":[4096.0],\"iterationsPerRun\":30},"
                                + "\"ratio\":{\"low\":1.0,\"value\":1.0,\"high\":1.0},\"improved\":false,\"looks\":[1],"
                                + "\"rejected\":[],\"decides\":\"\","
                                + "\"file\":\"src/test/resources/neuron-baselines/com.acme.BertTest.json /entries/3\","
                                + "\"update\":\"neuron-test baseline approve com.acme.BertTest --note \\\"why\\\"\","
                                + "\"notes\":[],"
                                + "\"accepted\":[{\"median\":4096.0,\"recorded\":\"2026-05-01\",\"note\":\"\"}]}");
    }

    @Test
    void ofAnEarlierVersionHasNoAcceptedBaselines() {
        // given
        Comparison comparison = fed(against(SPILL, 4096), 4096).result();
        String earlier = ComparisonJson.write(comparison).replaceFirst(",\"accepted\":\\[.*?]", "");

        // then
        assertThat(earlier).doesNotContain("accepted");
        assertThat(ComparisonJson.read(earlier).accepted()).isEmpty();
    }

    @Test
    void membersThatAreNotKnownArePassedOver() {
        // given
        Comparison comparison = fed(against(SPILL, 4096), 4096).result();
        String json = ComparisonJson.write(comparison).replaceFirst("\\{", "{\"colour\":[{\"red\":null}],");

        // when, then
        assertThat(ComparisonJson.read(json)).isEqualTo(comparison);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"version\":1 | \"version\":2 | a comparison of version 2 cannot be read, only of version 1",
                "\"reason\":\"same\", | '' | 'has no \"reason\", expected an object with that member'",
                "\"margin\":0.0 | \"margin\":\"some\" | '/margin: is \"some\", expected a number'",
                "\"improved\":false | \"improved\":0 | '/improved: is 0, expected true or false'",
                "\"looks\":[1] | \"looks\":[1, 1.5] | '/looks/1: is 1.5, expected a whole number'",
                "\"looks\":[1] | \"looks\":1 | '/looks: is 1, expected an array'",
                "\"outcome\":\"not_worse\" | \"outcome\":\"good\" | '/outcome: is \"good\", expected one of not_worse, worse,"
                        + " undecided, no_baseline, contaminated'",
                "\"unit\":\"bytes\" | \"unit\":null | '/metric/unit: is null, expected a text'",
                "\"lnc\":\"2\" | \"lnc\":2 | '/stack/lnc: is 2, expected a text'",
                "\"sample\":{ | \"sampled\":{ | 'has no \"sample\", expected an object with that member'",
                "\"margin\":0.0 | \"margin\":1e999 | '/margin: is 1E+999, expected a finite number'",
                "\"looks\":[1] | \"looks\":[12345678901] | '/looks/0: is 12345678901, expected a whole number'",
                "\"runs\":[4096.0] | \"runs\":[\"4096\"] | '/baseline/runs/0: is \"4096\", expected a number'",
            })
    void saysWhatCannotBeRead(String written, String instead, String message) {
        // given
        String json = ComparisonJson.write(fed(against(SPILL, 4096), 4096).result());
        assertThat(json).contains(written);

        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ComparisonJson.read(json.replaceFirst(Pattern.quote(written), instead)))
                .withMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"version\":1 | Unexpected end-of-input",
                "[] | 'is an array, expected an object'",
                "{} {} | something follows the JSON object",
                "'' | 'is empty, expected a JSON object'",
                "{} | has no \"version\""
            })
    void saysWhatIsNoComparison(String text, String message) {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ComparisonJson.read(text))
                .withMessageContaining(message);
    }
}
