package dev.neurontest.internal.profile.threshold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitTest {

    private static Limit atMost(double value, Unit unit) {
        return new Limit(true, new Quantity(value, unit));
    }

    private static Limit atLeast(double value, Unit unit) {
        return new Limit(false, new Quantity(value, unit));
    }

    @ParameterizedTest
    @CsvSource({
        "true, 1, SECONDS, 1, just kept",
        "true, 1, SECONDS, 0.965, 3.5 % left",
        "true, 1, SECONDS, 1.25, 25 % over",
        "true, 4, SECONDS, 5, 25 % over",
        "false, 4, SECONDS, 3, 25 % short",
        "false, 4, SECONDS, 5, 25 % left",
        // parts of one are points apart, not percents
        "false, 0.42, FRACTION, 0.4, 2 points short",
        "false, 0.42, FRACTION, 0.41, 1 point short",
        "false, 0.42, FRACTION, 0.45, 3 points left",
        "true, 0.42, FRACTION, 0.45, 3 points over",
        // there is no share of 0
        "true, 0, BYTES, 0, ''",
        "true, 0, BYTES, 5, over",
        "false, 0, BYTES, 5, left",
        "true, 0, FRACTION, 0.02, 2 points over"
    })
    void describesMarginOfValue(boolean upper, double limit, Unit unit, double measured, String margin) {
        // then
        assertThat(new Limit(upper, new Quantity(limit, unit)).margin(measured)).isEqualTo(margin);
    }

    @Test
    void measuresExcessRelativeToLimit() {
        // then
        assertThat(atMost(100, Unit.COUNT).excess(150)).isEqualTo(0.5);
        assertThat(atMost(100, Unit.COUNT).excess(50)).isEqualTo(-0.5);
        assertThat(atLeast(50, Unit.COUNT).excess(40)).isCloseTo(0.2, within(1e-12));
        assertThat(atMost(0, Unit.COUNT).excess(3)).as("there is no share of 0").isEqualTo(3);
    }

    @Test
    void showsMoreDigitsOnlyForValuesNearLimit() {
        // given
        Limit limit = atMost(0.017, Unit.SECONDS);

        // then
        assertThat(limit.text(0.017)).isEqualTo("17 ms");
        assertThat(limit.text(0.0170004)).isEqualTo("17.0004 ms");
        assertThat(limit.text(0.0180004)).isEqualTo("18 ms");
    }
}
