package dev.neurontest.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.rule.CounterFailure;
import dev.neurontest.counter.rule.CounterMoves;
import dev.neurontest.counter.rule.CounterRules;
import dev.neurontest.counter.tree.ScopeFixture;
import dev.neurontest.counter.tree.TreeFixture;
import dev.neurontest.json.JsonObject;
import dev.neurontest.recording.Judgement;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One counter reads the same in the failure of its test, in the attachment, in the JSON and on the page of the report. */
class MovementTextsTest {

    private final TreeFixture tree = TreeFixture.host(1, 2);

    @ParameterizedTest
    @CsvSource({
        "neuron0/neuron_core1 status/timeout, 0, 3, +3, ''",
        "neuron0/neuron_core1 status/timeout, 9, 2, at least +2, 'decreased: written to, or driver reloaded'",
        "neuron0/neuron_core1 status/timeout, -1, 1, +2, wrapped at 64 bits",
        "neuron0/neuron_core1 other_info/reset_fail_count, 4, 1, at least +1, 'decreased: written to, or driver reloaded'",
        "neuron0 hardware/mem_ecc_uncorrected, 65534, 2, +4, wrapped: the register has 16 bits",
        "neuron0 hardware/mem_ecc_uncorrected, 9, 2, at least +2, 'decreased: written to, or driver reloaded'",
    })
    void agreeOnEachMovement(String counter, long before, long after, String delta, String remark) {
        // given
        tree.count(counter, before);
        CounterRules rules = CounterRules.builder()
                .expect(CounterMoves.byAtMost(counter.substring(counter.indexOf(' ') + 1), 0))
                .build();

        // when
        CounterDiff diff = ScopeFixture.diff(ScopeFixture.of(tree, 2, 1), () -> tree.count(counter, after));

        // then
        Judgement found = rules.judge(diff);
        String text = remark.isEmpty() ? delta : delta + " (" + remark + ")";
        assertThat(found.violations())
                .isNotEmpty()
                .allSatisfy(violation -> assertThat(violation.actual()).isEqualTo(text));
        assertThat(CounterFailure.of(found, diff).toError()).hasMessageContaining("was " + text);
        assertThat(diff.toText()).containsPattern(Pattern.quote(delta) + " *" + Pattern.quote(remark));
        JsonObject json = new JsonObject(diff.judged(found).toJson());
        assertThat(json.text()).contains("\"remark\":\"" + remark + "\"", "\"verdict\":\"violated\"");
        assertThat(RecordedCounters.of(json).moved()).singleElement().satisfies(change -> {
            assertThat(change.remark()).isEqualTo(remark);
            assertThat(change.change()).isEqualTo(delta);
            assertThat(change.isError()).isTrue();
        });
    }
}
