package dev.neurontest.fake.internal.systemtool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.instance.DriverRelease;
import dev.neurontest.fake.internal.driver.instance.DriverRules;
import dev.neurontest.fake.internal.driver.instance.InstanceType;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests of the times at which {@code neuron-monitor} reports. */
class MonitorTest {

    private final AtomicLong now = new AtomicLong();

    @AutoClose
    private final Monitor monitor = monitor();

    private Monitor monitor() {
        DriverRules rules = new DriverRules("2.30.2.0", new DriverRelease(2, 30, 2), true, false);
        Driver driver = new Driver(InstanceType.named("inf2.xlarge"), rules, Clock.systemUTC(), Duration.ofSeconds(2));
        MonitorConfig config =
                MonitorConfig.parse("{\"period\": \"5s\", \"system_metrics\": [{\"type\": \"memory_info\"}]}");
        return new Monitor(driver, driver.devices(), 1, config, now::get);
    }

    private void wait(int milliseconds) {
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }

    private long untilNext() {
        return TimeUnit.NANOSECONDS.toMillis(monitor.untilNext());
    }

    @Test
    void reportsAtOnceAndThenOncePerPeriod() throws IOException {
        assertThat(untilNext()).isZero();
        monitor.report();
        assertThat(untilNext()).isEqualTo(5000);

        wait(5000);
        assertThat(untilNext()).isZero();
        assertThat(monitor.report()).contains("\"period\":5,");
        assertThat(untilNext()).isEqualTo(5000);
    }

    @Test
    void keepsToItsPeriodAfterALateReport() throws IOException {
        monitor.report();
        wait(5400);
        assertThat(monitor.report()).contains("\"period\":5.4,");

        assertThat(untilNext()).isEqualTo(4600);
    }

    @Test
    void leavesOutReportsThatItMissed() throws IOException {
        monitor.report();
        wait(17_000);
        assertThat(monitor.report()).contains("\"period\":17,");

        assertThat(untilNext()).isEqualTo(3000);
    }
}
