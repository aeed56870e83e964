package dev.neurontest.internal.process.orphan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of killed runs; {@code -Dkilled.runs=1000} kills more of them. */
@Tag("stress")
class KilledRunsIT {

    @TempDir
    Path folder;

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void killedRunsLeaveNothingAfterNextRun() throws Exception {
        try (KilledRuns runs = new KilledRuns(folder, Long.getLong("killed.runs.seed", 1))) {
            // given
            int killed = Integer.getInteger("killed.runs", 12);
            runs.kill(killed, 3);
            System.out.printf("%d killed runs; just after the last kill: %s%n", killed, runs.left());

            // when
            boolean ended = runs.runToTheEnd();

            // then
            KilledRuns.Left left = runs.left();
            System.out.printf("%d killed runs; after the next run: %s%n", killed, left);
            assertThat(ended).as("whether the next run passed").isTrue();
            assertThat(left).isEqualTo(new KilledRuns.Left(0, 0, 0, 0));
            assertThat(runs.allCoresAreFree()).isTrue();
        }
    }
}
