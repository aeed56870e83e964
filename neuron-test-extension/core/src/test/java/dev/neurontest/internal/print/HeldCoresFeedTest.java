package dev.neurontest.internal.print;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintDoubt;
import dev.neurontest.print.PrintExpectation;
import dev.neurontest.print.PrintExpectations;
import dev.neurontest.print.PrintFixture;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldCoresFeedTest {

    @TempDir
    private Path folder;

    private List<NeuronCore> cores;

    /** A feed with prints that arrive one after the other. */
    private static final class LiveFeedFixture implements PrintFeed {

        private final List<DevicePrint> prints = new ArrayList<>();

        @Override
        public void settle() {}

        @Override
        public List<DevicePrint> prints() {
            return List.copyOf(prints);
        }

        @Override
        public List<OddEvent> oddEvents() {
            return List.of();
        }

        @Override
        public List<PrintDoubt> doubts() {
            return List.of();
        }
    }

    @BeforeEach
    void host() {
        cores = new HostFixture(folder)
                .devices(HostFixture.Kind.TRN1, 0, 1)
                .host()
                .cores();
    }

    private static DevicePrint print(int core, long order) {
        DevicePrint made = new PrintFixture().floats("acc", 1).prints().get(0);
        return new DevicePrint(
                order,
                Instant.EPOCH.plusSeconds(order),
                made.origin(),
                core,
                made.coreId(),
                made.pipe(),
                made.prefix(),
                made.dtype(),
                made.shape(),
                made.data(),
                made.reserved());
    }

    private static PrintFeed printed(int... indices) {
        List<DevicePrint> prints = new ArrayList<>();
        for (int core : indices) {
            prints.add(print(core, prints.size()));
        }
        return new GivenFeed(prints, List.of(), List.of());
    }

    private static Judgement judged(PrintFeed feed, PrintExpectation expectation) {
        return PrintExpectations.builder()
                .expect(expectation)
                .build()
                .judge(DevicePrints.of(feed, List.of()).frozen());
    }

    @Test
    void acceptsWorkloadOrHostNumberOfHeldCore() {
        // given: the third core of the host
        for (int number : new int[] {0, 2}) {
            // when
            PrintFeed feed = new HeldCoresFeed(printed(number, -1), cores.subList(2, 3));

            // then
            assertThat(feed.prints()).hasSize(2);
            assertThat(feed.notices()).isEmpty();
        }
    }

    @Test
    void usesOnlyHostNumbersAfterFirstHostNumber() {
        // given
        LiveFeedFixture live = new LiveFeedFixture();
        PrintFeed feed = new HeldCoresFeed(live, cores.subList(2, 3));

        // when
        live.prints.add(print(0, 0));
        assertThat(feed.prints()).hasSize(1);
        live.prints.add(print(2, 1));

        // then
        assertThat(feed.prints()).extracting(DevicePrint::coreIndex).containsExactly(2);
        assertThat(feed.notices())
                .singleElement()
                .asString()
                .startsWith("The test ignored 1 print of core 0, which it does not hold");
    }

    @Test
    void excludesPrintsOfOtherCoresWithNotice() {
        // when
        PrintFeed feed = new HeldCoresFeed(printed(0, 1, 1, 3), cores.subList(0, 1));

        // then
        assertThat(feed.prints()).extracting(DevicePrint::coreIndex).containsExactly(0);
        assertThat(feed.notices())
                .containsExactly(
                        "The test ignored 2 prints of core 1, which it does not hold: \"acc\". It holds neuron0/neuron_core0; see NEURON_RT_VISIBLE_CORES of the workload.",
                        "The test ignored 1 print of core 3, which it does not hold: \"acc\". It holds neuron0/neuron_core0; see NEURON_RT_VISIBLE_CORES of the workload.");
    }

    @Test
    void countsEveryPrintWithoutCores() {
        // then
        assertThat(new HeldCoresFeed(printed(0, 7), List.of()).prints()).hasSize(2);
    }

    @Test
    void printsOfOtherCoresDoNotCountForExpectation() {
        // given
        PrintFeed feed = new HeldCoresFeed(printed(0, 1), cores.subList(0, 1));

        // then
        assertThat(judged(feed, PrintExpectation.of("acc").exactly(2)).violations())
                .hasSize(1);
        assertThat(judged(feed, PrintExpectation.of("acc").atLeast(2)).violations())
                .hasSize(1);
        assertThat(judged(feed, PrintExpectation.of("acc").exactly(1)).violations())
                .isEmpty();
        assertThat(judged(feed, PrintExpectation.of("acc").exactly(1)).notices())
                .anyMatch(notice -> notice.contains("core 1"));
    }

    @Test
    void valuesOfOtherCoresDoNotSatisfyExpectation() {
        // given
        PrintFeed feed = new HeldCoresFeed(printed(1), cores.subList(0, 1));

        // then
        assertThat(judged(feed, PrintExpectation.of("acc").withoutNaN()).violations())
                .hasSize(1);
    }

    @Test
    void includesPrintsWhileTheyArrive() {
        // given
        LiveFeedFixture live = new LiveFeedFixture();
        PrintFeed feed = new HeldCoresFeed(live, cores.subList(0, 1));

        // when
        live.prints.add(print(0, 0));
        assertThat(feed.prints()).hasSize(1);
        live.prints.add(print(1, 1));
        live.prints.add(print(0, 2));

        // then
        assertThat(feed.prints()).extracting(DevicePrint::order).containsExactly(0L, 2L);
        assertThat(feed.notices()).hasSize(1);
    }

    @Test
    void readsAllPrintsAgainAfterLateFeed() {
        // given
        LiveFeedFixture live = new LiveFeedFixture();
        PrintFeed feed = new HeldCoresFeed(live, cores.subList(0, 1));
        live.prints.add(print(0, 5));
        assertThat(feed.prints()).hasSize(1);

        // when
        live.prints.add(0, print(1, 3));

        // then
        assertThat(feed.prints()).extracting(DevicePrint::order).containsExactly(5L);
        assertThat(feed.notices()).hasSize(1);
    }
}
