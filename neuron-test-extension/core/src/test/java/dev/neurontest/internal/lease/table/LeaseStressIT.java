package dev.neurontest.internal.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("stress")
class LeaseStressIT {

    @Test
    void killedJvmsCauseNoSharedOrLostCore() throws Exception {
        // then
        assertThat(LeaseStress.run("--jvms", "4", "--threads", "4", "--leases", "400", "--kills", "6"))
                .as("see the output")
                .isTrue();
    }

    @Test
    void otherCodeReadingTableFilesCausesNoSharedCore() throws Exception {
        // then
        assertThat(LeaseStress.run(
                        "--jvms", "4", "--threads", "3", "--leases", "300", "--kills", "3", "--kinds", "readers"))
                .as("see the output")
                .isTrue();
    }
}
