package dev.neurontest.baseline;

import static dev.neurontest.internal.baseline.ComparedFixture.QUIET;
import static dev.neurontest.internal.baseline.ComparedFixture.SPILL;
import static dev.neurontest.internal.baseline.ComparedFixture.TIME;
import static dev.neurontest.internal.baseline.ComparedFixture.against;
import static dev.neurontest.internal.baseline.ComparedFixture.fed;
import static dev.neurontest.internal.baseline.ComparedFixture.rejected;
import static dev.neurontest.internal.baseline.ComparedFixture.times;
import static dev.neurontest.internal.baseline.ComparedFixture.withoutBaseline;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.baseline.RunComparison;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.json.RecordWriter;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ComparisonTest {

    private final Comparison improved =
            fed(against(TIME, QUIET), times(0.9, QUIET)).result();

    @Test
    void recognizesItsOwnRule() {
        // then
        assertThat(improved.rule()).isEqualTo("not worse than the baseline by more than 3 %");
        assertThat(Comparison.isRule(improved.rule())).isTrue();
        assertThat(Comparison.isRule("@Threshold(metric = \"total_time\", max = \"17 ms\")"))
                .isFalse();
    }

    @Test
    void isContaminatedByLaterDisturbance() {
        // when
        Comparison disturbed = improved.disturbed(List.of("throttled", "another process was there"));

        // then
        assertThat(disturbed.outcome()).isEqualTo(ComparisonOutcome.CONTAMINATED);
        assertThat(disturbed.improved()).isFalse();
        assertThat(disturbed.decides()).isEqualTo("undisturbed runs: throttled; another process was there");
        assertThat(disturbed.sample()).isEqualTo(improved.sample());
    }

    @ParameterizedTest
    @CsvSource({"2.30.51.0, 2.30", "2.30, 2.30", "' 2.30-rc1 ', 2.30", "2, 2", "' unknown ', unknown"})
    void stackUsesFirstTwoNumbersOfVersion(String version, String part) {
        // then
        assertThat(Stack.majorMinor(version)).isEqualTo(part);
    }

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
        assertThat(RecordReader.EXACT.read(JsonObject.of(comparison), Comparison.class))
                .isEqualTo(comparison);
    }

    @Test
    void isWrittenAsOneJsonObject() {
        assertThat(RecordWriter.text(fed(against(SPILL, 4096), 4096).result()))
                .isEqualTo(
                        "{\"key\":{\"testClass\":\"com.acme.BertTest\",\"test\":\"inference(int)[1]\",\"metric\":\"spill_save_bytes\"},"
                                + "\"metric\":{\"name\":\"spill_save_bytes\",\"unit\":\"bytes\",\"better\":\"lower\",\"noise\":\"fixed\"},"
                                + "\"stack\":{\"driver\":\"2.30\",\"instance\":\"trn2.48xlarge\",\"lnc\":\"2\"},"
                                + "\"outcome\":\"not_worse\",\"reason\":\"same\",\"margin\":0,"
                                + "\"baseline\":{\"runs\":[4096],\"iterationsPerRun\":30},"
                                + "\"sample\":{\"runs\":[4096],\"iterationsPerRun\":30},"
                                + "\"ratio\":{\"low\":1,\"value\":1,\"high\":1},\"improved\":false,\"looks\":[1],"
                                + "\"rejected\":[],\"decides\":\"\","
                                + "\"file\":\"src/test/resources/neuron-baselines/com.acme.BertTest.json /entries/3\","
                                + "\"update\":\"neuron-test baseline approve com.acme.BertTest --note \\\"why\\\"\","
                                + "\"notes\":[],"
                                + "\"accepted\":[{\"median\":4096,\"recorded\":\"2026-05-01\",\"note\":\"\"}]}");
    }
}
