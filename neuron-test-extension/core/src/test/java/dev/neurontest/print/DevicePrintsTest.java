package dev.neurontest.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.neurontest.internal.print.DelegatedFeed;
import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.patience.Patience;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class DevicePrintsTest {

    private static final Duration LONG = Patience.LIMIT;
    private static final Duration SHORT = Duration.ofMillis(20);

    @Test
    void areFilteredByPrefixCoreAndOrder() {
        // given
        DevicePrints prints = new PrintFixture()
                .floats("acc", 1)
                .floats("scale", 2)
                .print(1, "acc", "uint8", List.of(1L), (byte) 3)
                .live();

        // then
        assertThat(prints.size()).isEqualTo(3);
        assertThat(prints.withPrefix("acc").all())
                .extracting(DevicePrint::order)
                .containsExactly(0L, 2L);
        assertThat(prints.withPrefix("ac").isEmpty()).isTrue();
        assertThat(prints.withPrefix("acc").onCore(1).get(0).tensor().number(0)).isEqualTo(3);
        assertThat(prints.prefixes()).containsExactly(entry("acc", 2), entry("scale", 1));
        assertThatThrownBy(() -> prints.withPrefix("scale").get(1))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("there is no print 1, since 1 arrived");
    }

    @Test
    void settlesBeforeEachQuery() {
        // given
        PrintFixture feed = new PrintFixture();
        DevicePrints prints = feed.live().withPrefix("acc");

        // when
        prints.all();
        prints.doubts();
        prints.oddEvents();

        // then
        assertThat(feed.settled()).isEqualTo(3);
    }

    @Test
    void onlyLiveViewShowsLaterPrints() {
        // given
        PrintFixture feed = new PrintFixture();
        DevicePrints live = feed.live().withPrefix("acc");
        DevicePrints frozen = live.frozen();

        // when
        feed.floats("acc", 1);

        // then
        assertThat(live.size()).isEqualTo(1);
        assertThat(frozen.size()).isZero();
    }

    @Test
    void awaitsPrintsWhenBetterSourceReplacesOthers() {
        // given
        List<DevicePrint> text =
                new PrintFixture().floats("acc", 1).floats("acc", 2).prints();
        List<DevicePrint> files = new PrintFixture()
                .floats("acc", 1)
                .floats("acc", 2)
                .floats("acc", 3)
                .prints();
        Iterator<List<DevicePrint>> polls =
                List.of(text, files.subList(0, 1), files).iterator();
        DelegatedFeed feed = () -> new GivenFeed(polls.hasNext() ? polls.next() : files, List.of(), List.of());

        // then
        assertThat(DevicePrints.of(feed, List.of()).await("acc", 3, LONG)).hasSize(3);
    }

    @Test
    void awaitsGivenNumberOfPrints() throws Exception {
        // given
        PrintFixture feed = new PrintFixture().floats("other", 0);
        DevicePrints prints = feed.live();
        CountDownLatch waiting = new CountDownLatch(1);

        // when
        CompletableFuture<List<DevicePrint>> two = CompletableFuture.supplyAsync(() -> {
            waiting.countDown();
            return prints.await("acc", 2, LONG);
        });
        waiting.await();
        feed.floats("acc", 1).floats("acc", 2);

        // then
        assertThat(two.get()).extracting(DevicePrint::order).containsExactly(1L, 2L);
        assertThat(prints.await("acc", Duration.ZERO).order()).isEqualTo(1);
    }

    @Test
    void countsPrintOnceWhenAnotherFeedIsLate() {
        // given: a print that came before the last one of the first feed, and is read after it
        PrintFixture first = new PrintFixture().floats("other", 0).floats("acc", 1);
        PrintFixture second = new PrintFixture().floats("other", 2);
        DevicePrints prints =
                DevicePrints.of(new LateFeedFixture(first, PrintFeed.of(List.of(first, second))), List.of());

        // then
        assertThatThrownBy(() -> prints.await("acc", 2, SHORT)).hasMessageContaining("expected at least 2");
    }

    @Test
    void listsArrivedPrintsWhenAwaitFails() {
        // given
        DevicePrints prints =
                new PrintFixture().floats("acc", 1).floats("acd", 1, 2).live();

        // then
        assertThatThrownBy(() -> prints.await("acc", 2, SHORT))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessage("""
                number of prints of "acc": expected at least 2, was 1
                Device prints: 1 expectation violated

                prefix  arrived  expected    dtype    shape  rule
                "acc"         1  at least 2  float32  (1,)   await("acc", 2, PT0.02S)
                "acd"         1              float32  (2,)

                number of prints of "acc"
                  expected at least 2
                  was 1
                  A print is missing if the kernel did not reach it, or if its execution failed before.
                """);
    }

    @Test
    void isUndecidedWhenPrintsMayBeMissing() {
        // given
        DevicePrints prints = new PrintFixture()
                .doubt(PrintDoubt.Kind.TAKEN, "other code reads the stream of core 0")
                .live();

        // then
        assertThatThrownBy(() -> prints.await("acc", SHORT))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContaining("1 expectation undecided")
                .hasMessageContaining("other code reads the stream of core 0");
    }

    /** A feed with different prints at the first and at later readings. */
    private static final class LateFeedFixture implements PrintFeed {

        private final PrintFeed atLast;
        private PrintFeed now;

        LateFeedFixture(PrintFeed atFirst, PrintFeed atLast) {
            this.now = atFirst;
            this.atLast = atLast;
        }

        @Override
        public void settle() {}

        @Override
        public List<DevicePrint> prints() {
            List<DevicePrint> prints = now.prints();
            now = atLast;
            return prints;
        }

        @Override
        public List<OddEvent> oddEvents() {
            return now.oddEvents();
        }

        @Override
        public List<PrintDoubt> doubts() {
            return now.doubts();
        }
    }
}
