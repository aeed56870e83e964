package dev.neurontest.fake.internal.driver;

import static dev.neurontest.fake.internal.driver.DriverFixture.fields;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoredCounterTest {

    private final DriverFixture host = DriverFixture.deferred("trn1.2xlarge");
    private final StoredCounter counter = host.core(0, 0).deviceMemory();

    @Test
    void followsTheWorkedExampleOfTheDriver() {
        counter.increase(4096);
        assertThat(fields(counter)).isEqualTo("4096/4096/4096");
        counter.increase(8192);
        assertThat(fields(counter)).isEqualTo("12288/8192/12288");
        counter.decrease(4096);
        assertThat(fields(counter)).isEqualTo("8192/4096/12288");
        counter.clear(Field.PEAK);
        assertThat(fields(counter)).isEqualTo("8192/4096/0");
        counter.increase(4096);
        assertThat(fields(counter)).isEqualTo("12288/4096/12288");
        counter.clear(Field.TOTAL);
        assertThat(fields(counter)).isEqualTo("0/4096/12288");
        counter.decrease(8192);
        assertThat(fields(counter)).isEqualTo("18446744073709543424/8192/12288");
    }

    @Test
    void changeByZeroKeepsPresent() {
        // given
        counter.increase(4096);

        // when
        counter.increase(0);
        counter.decrease(0);

        // then
        assertThat(fields(counter)).isEqualTo("4096/4096/4096");
    }

    @Test
    void peakComparesUnsigned() {
        // given: a value below zero, which wraps to the largest ones
        counter.decrease(4096);

        // when
        counter.increase(1);

        // then
        assertThat(fields(counter)).isEqualTo("18446744073709547521/1/18446744073709547521");
    }

    @Test
    void notifiesAfterAllFieldsAreSet() {
        // given
        List<String> seen = new ArrayList<>();
        host.driver.writeNotifyDelay("0".getBytes(StandardCharsets.US_ASCII));
        host.driver.addListener(new ChangeListener() {
            @Override
            public void notified(NotifiedFile file) {
                seen.add(fields(counter));
            }

            @Override
            public void removed(Device device) {}
        });

        // when
        counter.increase(8);

        // then
        assertThat(seen).containsExactly("8/8/8", "8/8/8", "8/8/8");
    }
}
