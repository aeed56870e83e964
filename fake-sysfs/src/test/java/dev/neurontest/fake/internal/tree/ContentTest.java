package dev.neurontest.fake.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeReader;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.Field;
import dev.neurontest.fake.internal.driver.instance.InstanceType;
import dev.neurontest.fake.internal.tree.layout.Layout;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ContentTest {

    private static final long LARGE = 1234567890L;

    private final Layout layout = Layout.named("driver-2.29");
    private final Driver driver =
            new Driver(InstanceType.named("trn1.2xlarge"), layout.rules(2), Clock.systemUTC(), Duration.ofMillis(10));
    private final InProcessTree tree = new InProcessTree(driver, layout, FakeReader.ROOT);
    private final InProcessTree.CounterFile file =
            tree.counterFile("sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/status/success/total");
    private final Content.Number number = new Content.Number(file.counter(), Field.TOTAL);

    @Test
    void numberIsTruncatedToAShortBuffer() {
        // given
        file.counter().shift(Field.TOTAL, LARGE);
        byte[] buffer = new byte[4];

        // when
        int length = number.bytes(buffer);

        // then
        assertThat(length).isEqualTo(4);
        assertThat(buffer).asString(StandardCharsets.US_ASCII).isEqualTo("1234");
    }

    @Test
    void numberChangedDuringReadIsPrintedConsistently() throws InterruptedException {
        // given: a counter that shrinks and grows as fast as it can
        AtomicBoolean stop = new AtomicBoolean();
        Thread mover = new Thread(() -> {
            while (!stop.get()) {
                file.counter().shift(Field.TOTAL, LARGE);
                file.counter().shift(Field.TOTAL, -LARGE);
            }
        });
        mover.start();
        Set<String> seen = new HashSet<>();
        byte[] buffer = new byte[4];

        // when
        try {
            for (int i = 0; i < 1_000_000; i++) {
                seen.add(new String(buffer, 0, number.bytes(buffer), StandardCharsets.US_ASCII));
            }
        } finally {
            stop.set(true);
            mover.join();
        }

        // then
        assertThat(seen).isSubsetOf("0\n", "1234");
    }
}
