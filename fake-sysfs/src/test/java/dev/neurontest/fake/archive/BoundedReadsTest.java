package dev.neurontest.fake.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of files that hang when one looks again and again. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class BoundedReadsTest {

    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final List<BoundedReads.Wanted> FILES =
            List.of(new BoundedReads.Wanted("a/hangs", 0444), new BoundedReads.Wanted("a/answers", 0444));
    private static final Entry TIMEOUT = new Entry.Unreadable(0444, "timeout");
    private static final Entry ANSWER = new Entry.Content(0444, "an answer");

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger hanging = new AtomicInteger();
    private final BoundedReads reads = new BoundedReads(new HangingRoot(), LIMIT);

    private final class HangingRoot implements HostRoot {

        @Override
        public List<String> list(String directory) {
            return List.of();
        }

        @Override
        public Found stat(String path) {
            return new Found(Kind.FILE, 0444, "", null);
        }

        @Override
        public byte[] read(String path, int most) {
            if (path.equals("a/hangs")) {
                hanging.incrementAndGet();
                // As in a driver that waits for its firmware.
                awaitEnd();
            }
            return "an answer".getBytes(StandardCharsets.ISO_8859_1);
        }

        private void awaitEnd() {
            while (end.getCount() > 0) {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    // Goes on hanging.
                }
            }
        }
    }

    @AfterEach
    void answer() {
        end.countDown();
    }

    @Test
    void theOthersAreReadHoweverOftenOneLooks() throws InterruptedException {
        // when
        for (int look = 0; look < 40; look++) {
            assertThat(reads.read(FILES).get(0)).isEqualTo(TIMEOUT);
        }

        // then
        assertThat(hanging).as("threads that were left behind").hasValue(1);
        assertThat(reads.read(FILES)).containsExactly(TIMEOUT, ANSWER);
    }

    @Test
    void whatAnswersInTheEndIsReadAgain() throws InterruptedException {
        // given
        reads.read(FILES);

        // when
        end.countDown();

        // then
        Awaitility.await().until(() -> reads.read(FILES).equals(List.of(ANSWER, ANSWER)));
    }
}
