package dev.neurontest.fake.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.ClockFixture;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PowerMeterTest {

    private static final long NEXT_MINUTE =
            Instant.parse("2026-11-21T09:01:00Z").getEpochSecond();

    private final ClockFixture clock = new ClockFixture("2026-11-21T09:00:10Z");
    private final PowerMeter meter = new PowerMeter(clock);

    @Test
    void thereIsNoDataBeforeTheFirstFullMinute() {
        clock.advance(Duration.ofSeconds(49));

        assertThat(meter.lastMinute()).isEqualTo("POWER_STATUS_NO_DATA,0,0.00,0.00,0.00\n");
    }

    @Test
    void finishedMinuteIsShownWithItsEndTime() {
        // given: 20 s at nothing, 20 s at 30 %, 10 s at 60 %
        clock.advance(Duration.ofSeconds(20));
        meter.draw(3000);
        clock.advance(Duration.ofSeconds(20));
        meter.draw(6000);

        // when
        clock.advance(Duration.ofSeconds(15));

        // then
        assertThat(meter.lastMinute()).isEqualTo("POWER_STATUS_VALID," + NEXT_MINUTE + ",0.00,60.00,24.00\n");
    }

    @Test
    void valuesChangeOnlyAtTheEndOfAMinute() {
        clock.advance(Duration.ofSeconds(60));
        meter.draw(1250);
        assertThat(meter.lastMinute()).isEqualTo("POWER_STATUS_VALID," + NEXT_MINUTE + ",0.00,0.00,0.00\n");

        // when: three more roll-overs
        clock.advance(Duration.ofMinutes(3));

        // then
        assertThat(meter.lastMinute()).isEqualTo("POWER_STATUS_VALID," + (NEXT_MINUTE + 180) + ",12.50,12.50,12.50\n");
    }

    @Test
    void minuteBelowSixtySamplesHasNoData() {
        ClockFixture late = new ClockFixture("2026-11-21T09:00:58Z");
        PowerMeter young = new PowerMeter(late);

        // when
        late.advance(Duration.ofSeconds(2));

        // then
        assertThat(young.lastMinute()).isEqualTo("POWER_STATUS_NO_DATA," + NEXT_MINUTE + ",0.00,0.00,0.00\n");
    }

    @Test
    void rawShowsCurrentValuePerDieAndSampleCount() {
        meter.draw(4321);
        clock.advance(Duration.ofSeconds(1));

        assertThat(meter.raw(2)).isEqualTo("die,util_bips,counter\n0,4321,20\n1,4321,20\n");
    }
}
