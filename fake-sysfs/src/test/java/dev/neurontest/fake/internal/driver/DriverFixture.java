package dev.neurontest.fake.internal.driver;

import dev.neurontest.fake.ClockFixture;
import dev.neurontest.fake.internal.driver.instance.DriverRelease;
import dev.neurontest.fake.internal.driver.instance.DriverRules;
import dev.neurontest.fake.internal.driver.instance.InstanceType;
import java.time.Duration;
import java.util.List;

/** Drivers of both kinds, with a clock that a test moves. */
final class DriverFixture {

    static final DriverRules DEFERRED = new DriverRules("2.24.7.0", new DriverRelease(2, 24, 7), false, true);
    static final DriverRules HEALTH = new DriverRules("2.29.0.0", new DriverRelease(2, 29, 0), false, true);
    static final DriverRules LIVE = new DriverRules("2.30.2.0", new DriverRelease(2, 30, 2), true, false);

    final ClockFixture clock = new ClockFixture("2026-11-21T09:00:10Z");
    final Driver driver;

    private DriverFixture(String instance, DriverRules rules) {
        driver = new Driver(InstanceType.named(instance), rules, clock, Duration.ofSeconds(2));
    }

    static DriverFixture deferred(String instance) {
        return new DriverFixture(instance, DEFERRED);
    }

    /** Creates a driver with device health, as of 2.28. */
    static DriverFixture health(String instance) {
        return new DriverFixture(instance, HEALTH);
    }

    static DriverFixture live(String instance) {
        return new DriverFixture(instance, LIVE);
    }

    Core core(int device, int core) {
        return driver.devices().get(device).core(core);
    }

    RuntimeProcess open(Core... cores) {
        return driver.open("trainer", List.of(cores));
    }

    @Override
    public String toString() {
        return driver.rules().version();
    }

    /** Returns total, present and peak as unsigned numbers. */
    static String fields(Counter counter) {
        return Long.toUnsignedString(counter.read(Field.TOTAL))
                + "/" + Long.toUnsignedString(counter.read(Field.PRESENT))
                + "/" + Long.toUnsignedString(counter.read(Field.PEAK));
    }
}
