package dev.neurontest.internal.counter.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.neurontest.counter.Attribution;
import dev.neurontest.counter.Awaited;
import dev.neurontest.counter.CounterAwait;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.counter.CounterNameException;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.counter.tree.TreeFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.opentest4j.AssertionFailedError;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class CounterAwaitTest {

    private static final String CORE = "neuron0/neuron_core1 ";
    private static final String INFERENCES = CORE + "other_info/inference_count";

    /** A duration that only a failing test waits for. */
    private static final Duration LONG = Duration.ofHours(1);

    private static final Duration ONE_LOOK = Duration.ZERO;

    private final TreeFixture tree = TreeFixture.host(1, 3);
    private final NeuronHost host = NeuronHost.discover(tree);

    private Counters of(int... cores) {
        List<NeuronCore> leased =
                IntStream.of(cores).mapToObj(host.cores()::get).toList();
        return Counters.over(new CounterScopes(host), leased, SettleOptions.IN_PROCESS);
    }

    /** Returns the test's counters, beginning now. */
    private Counters ofTest(CounterExpectations rules, int... cores) {
        Counters counters = of(cores);
        return counters.awaiting(Waiting.until(rules), counters.snapshot());
    }

    /** Makes a counter rise to three while it is polled. */
    private void countWhileLookedAt(String subject) {
        AtomicInteger value = new AtomicInteger();
        tree.onBatch(() -> tree.count(subject, Math.min(3, value.getAndIncrement())));
    }

    private static AssertionFailedError failure(CounterAwait wait, Duration atMost) {
        return catchThrowableOfType(AssertionFailedError.class, () -> wait.within(atMost));
    }

    @Test
    void waitsUntilTheCounterHasRisenEnough() {
        // given
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 1).await("inference_count");
        countWhileLookedAt(INFERENCES);

        // when
        Awaited awaited = wait.atLeast(3).within(LONG);

        // then
        assertThat(awaited.name()).isEqualTo("other_info/inference_count");
        assertThat(awaited.value()).isEqualTo("3 [+3]");
        assertThat(awaited.waited()).isPositive().isLessThan(LONG);
        assertThat(awaited.looks()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void countsFromTheBeginningOfTheTest() {
        // given
        tree.count(INFERENCES, 100);
        Counters counters = ofTest(CounterExpectations.DEFAULT, 1);
        tree.count(INFERENCES, 110);

        // when, then
        assertThat(counters.await("inference_count")
                        .atLeast(10)
                        .within(ONE_LOOK)
                        .value())
                .isEqualTo("110 [+10]");
        assertThat(failure(counters.await("inference_count").atLeast(11), ONE_LOOK))
                .isNotNull();
    }

    @Test
    void refusesConditionsThatCannotHoldTogether() {
        // given
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 1).await("inference_count");

        // when, then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> wait.atLeast(10).totalAtLeast(30).atMost(5))
                .withMessage(
                        "other_info/inference_count can never be at least +10 and at most +5 at the same time: wait for one of them.");
        assertThat(wait.atLeast(5).atMost(5).totalAtLeast(3))
                .hasToString("other_info/inference_count at least +5 and at most +5 and a total of at least 3");
    }

    @Test
    void countsFromCallForCoresOutsideTest() {
        // given
        Counters other = ofTest(CounterExpectations.DEFAULT, 0).of(host.cores().get(1));
        tree.count(INFERENCES, 100);
        CounterAwait wait = other.await("inference_count");
        tree.count(INFERENCES, 110);

        // when, then
        assertThat(wait.atLeast(10).within(ONE_LOOK).value()).isEqualTo("110 [+10]");
        assertThat(failure(wait.atLeast(11), ONE_LOOK)).isNotNull();
    }

    @Test
    void comparesAbsoluteTotalOnRequest() {
        // given
        tree.count(INFERENCES, 100);
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 1).await("inference_count");

        // when, then
        assertThat(wait.totalAtLeast(100).within(ONE_LOOK).looks()).isEqualTo(1);
        assertThat(failure(wait.totalAtLeast(101), ONE_LOOK)).isNotNull();
    }

    @Test
    void waitsForFreedMemory() {
        // given
        Counters counters = ofTest(CounterExpectations.DEFAULT, 1);
        tree.count(CORE + "memory_usage/device_mem", 8192);
        AtomicInteger looks = new AtomicInteger();
        tree.onBatch(() -> {
            if (looks.incrementAndGet() == 4) {
                tree.count(CORE + "memory_usage/device_mem", 0);
            }
        });

        // when
        Awaited awaited = counters.await("device_mem").atMost(0).within(LONG);

        // then
        assertThat(awaited.value()).isEqualTo("0 [0]");
        assertThat(awaited.looks()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void waitsForAnyChangeWithoutCondition() {
        // given
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 1).await("inference_count");

        // when, then
        assertThat(failure(wait, ONE_LOOK).getExpected().getStringRepresentation())
                .isEqualTo("any change");
        tree.count(INFERENCES, 1);
        assertThat(wait.within(ONE_LOOK).value()).isEqualTo("1 [+1]");
    }

    @Test
    void sumsOverCoresUnlessEachIsRequired() {
        // given
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 0, 1)
                .await("inference_count")
                .atLeast(10);
        tree.count(INFERENCES, 10);

        // when, then
        assertThat(wait.within(ONE_LOOK).value()).isEqualTo("10 [+10]");
        assertThat(failure(wait.each(), ONE_LOOK))
                .hasMessageContaining("expected at least +10 on each within 0 s")
                .hasMessageContaining("neuron0/neuron_core0 0 [0], neuron0/neuron_core1 10 [+10]");
        tree.count("neuron0/neuron_core0 other_info/inference_count", 10);
        assertThat(wait.each().within(ONE_LOOK).value())
                .isEqualTo("neuron0/neuron_core0 10 [+10], neuron0/neuron_core1 10 [+10]");
    }

    @Test
    void waitsForAnAttributeOfTheDevice() {
        // given
        String reset = TreeFixture.DEVICES + "neuron0/reset";
        tree.set(reset, "0\n");
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 0, 1).await("reset");
        AtomicInteger batches = new AtomicInteger();
        tree.onBatch(() -> tree.set(reset, batches.incrementAndGet() < 6 ? "0\n" : "1\n"));

        // when
        Awaited awaited = wait.matching("1"::equals, "1").within(LONG);

        // then
        assertThat(awaited.value()).isEqualTo("\"1\"");
    }

    @Test
    void findsAnAttributeThatTheDriverMoved() {
        // given
        tree.set(TreeFixture.DEVICES + "neuron0/state/reset", "1\n");

        // when, then
        assertThat(ofTest(CounterExpectations.DEFAULT, 0)
                        .await("reset")
                        .matching("1"::equals, "1")
                        .within(ONE_LOOK)
                        .value())
                .isEqualTo("\"1\"");
    }

    @Test
    void refusesUnknownAttributeDespiteSameFileName() {
        // given
        tree.set(TreeFixture.DEVICES + "neuron0/neuron_core0/old/state", "ready\n");

        // when, then
        assertThatThrownBy(() -> ofTest(CounterExpectations.DEFAULT, 0).await("info/state"))
                .isInstanceOf(CounterNameException.class);
    }

    @Test
    void showsAttributeOnOneShortenedLine() {
        // given
        String state = "\u001b[2Jready\n\u009b2J" + "x".repeat(5000);
        String shown = "\"\\u001b[2Jready\\n\\u009b2J" + "x".repeat(187) + "... (5013 characters)\"";
        tree.set(TreeFixture.DEVICES + "neuron0/neuron_core1/info/state", state + "\n");
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 1).await("info/state");

        // when
        AssertionFailedError failure = failure(wait.matching("a"::equals, "the letter a"), ONE_LOOK);

        // then
        assertThat(failure)
                .hasMessageContaining("expected the letter a within 0 s, was " + shown + " after")
                .hasMessageNotContainingAny("\u001b", "\u009b", "x".repeat(188));
        assertThat(failure.getActual().getStringRepresentation()).isEqualTo(shown);
        assertThat(wait.matching(state::equals, "all of it").within(ONE_LOOK).value())
                .isEqualTo(shown);
    }

    @Test
    void waitsForAttributeMissingOnOneCore() {
        // given
        tree.set(TreeFixture.DEVICES + "neuron0/neuron_core0/info/state", "ready\n");
        CounterAwait wait =
                ofTest(CounterExpectations.DEFAULT, 0, 1).await("info/state").matching("ready"::equals, "ready");

        // when, then
        assertThat(failure(wait, ONE_LOOK))
                .hasMessageContaining("neuron0/neuron_core0 \"ready\", neuron0/neuron_core1 unreadable");
        tree.set(TreeFixture.DEVICES + "neuron0/neuron_core1/info/state", "ready\n");
        assertThat(wait.within(ONE_LOOK).value())
                .isEqualTo("neuron0/neuron_core0 \"ready\", neuron0/neuron_core1 \"ready\"");
    }

    @Test
    void waitsForAnAttributeOfEachCore() {
        // given
        tree.set(TreeFixture.DEVICES + "neuron0/neuron_core0/info/state", "ready\n")
                .set(TreeFixture.DEVICES + "neuron0/neuron_core1/info/state", "busy\n");
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 0, 1).await("info/state");

        // when, then
        assertThat(failure(wait.matching("ready"::equals, "ready"), ONE_LOOK))
                .hasMessageContaining("neuron0/neuron_core0 \"ready\", neuron0/neuron_core1 \"busy\"");
        assertThat(failure(wait.matching(state -> state.startsWith("r"), "a state with an r"), ONE_LOOK))
                .hasMessageContaining("expected a state with an r within 0 s");
        assertThat(wait.matching(state -> state.endsWith("y"), "a state with a y")
                        .within(ONE_LOOK)
                        .value())
                .isEqualTo("neuron0/neuron_core0 \"ready\", neuron0/neuron_core1 \"busy\"");
    }

    @Test
    void endsEarlyWhenErrorCounterIncreases() {
        // given
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 1).await("inference_count");
        countWhileLookedAt(CORE + "status/hw_error");

        // when
        AssertionFailedError error = failure(wait.atLeast(10), LONG);

        // then
        assertThat(error)
                .hasMessageContaining("status/hw_error had changed (+")
                .hasMessageContaining("If this error is intended: @AllowCounter(\"hw_error\").");
        assertThat(error.getActual().getStringRepresentation())
                .startsWith("0 [0]; neuron0/neuron_core1 status/hw_error +");
    }

    @Test
    void endsEarlyWhenTheDeviceReportsAnError() {
        // given
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 1).await("inference_count");
        tree.put("neuron0 hardware/mem_ecc_uncorrected", "1\n");

        // when, then
        assertThat(failure(wait, LONG)).hasMessageContaining("neuron0 hardware/mem_ecc_uncorrected had changed (+1)");
    }

    @Test
    void continuesDespiteAllowedErrors() {
        // given
        Counters counters =
                ofTest(CounterExpectations.builder().allow("hw_error").build(), 1);
        tree.count(CORE + "status/hw_error", 1).count(INFERENCES, 1);
        CounterAwait wait = counters.await("inference_count").atLeast(2);

        // when, then
        assertThat(failure(wait, ONE_LOOK)).hasMessageContaining("(1 reading)");
        tree.count(CORE + "status/timeout", 1);
        assertThat(failure(wait, ONE_LOOK)).hasMessageContaining("status/timeout had changed (+1)");
    }

    @Test
    void tolerantTestContinuesDespiteErrorOfSharedDevice() {
        // given
        CounterExpectations tolerant =
                CounterExpectations.builder().attribution(Attribution.TOLERANT).build();
        Counters own = Counters.over(
                new CounterScopes(host),
                List.of(host.cores().get(1)),
                SettleOptions.IN_PROCESS,
                () -> new ConcurrentUsers(List.of("FooTest > bar() (pid 12) on neuron0/neuron_core0")),
                diff -> {});
        CounterAwait wait =
                own.awaiting(Waiting.until(tolerant), own.snapshot()).await("inference_count");

        // when
        tree.put("neuron0 hardware/mem_ecc_uncorrected", "1\n");

        // then
        assertThat(failure(wait, ONE_LOOK)).hasMessageContaining("(1 reading)");
    }

    @Test
    void prefersAwaitedValueOverSimultaneousError() {
        // given
        CounterAwait wait =
                ofTest(CounterExpectations.DEFAULT, 1).await("inference_count").atLeast(1);

        // when
        tree.count(INFERENCES, 1).count(CORE + "status/hw_error", 1);

        // then
        assertThat(wait.within(ONE_LOOK).value()).isEqualTo("1 [+1]");
    }

    @Test
    void continuesWhileCounterIsUnreadable() {
        // given
        CounterAwait wait =
                ofTest(CounterExpectations.DEFAULT, 1).await("inference_count").atLeast(1);
        tree.fail(INFERENCES, () -> new IOException("Input/output error"));

        // when, then
        assertThat(failure(wait, ONE_LOOK))
                .hasMessageContaining("unreadable")
                .hasMessageContaining("It cannot be read: /sys/devices/virtual/neuron_device/neuron0/neuron_core1");
        tree.count(INFERENCES, 1);
        assertThat(wait.within(ONE_LOOK).value()).isEqualTo("1 [+1]");
    }

    @Test
    void endsOnInterruptAndLeavesThreadInterrupted() {
        // given
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 1).await("inference_count");
        Thread test = Thread.currentThread();
        AtomicInteger looks = new AtomicInteger();
        tree.onBatch(() -> {
            if (looks.incrementAndGet() == 3) {
                test.interrupt();
            }
        });

        // when
        AssertionFailedError error = failure(wait, LONG);

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(error)
                .hasMessageContaining("when the thread was interrupted after")
                .hasMessageContaining("@Timeout");
    }

    @Test
    void readsOnceOnInterruptedThread() {
        // given
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 1).await("inference_count");
        tree.count(INFERENCES, 1);

        // when
        Thread.currentThread().interrupt();
        Awaited awaited = wait.within(LONG);

        // then
        assertThat(Thread.interrupted()).isTrue();
        assertThat(awaited.looks()).isEqualTo(1);
    }

    @Test
    void refusesUnknownNameWithSuggestions() {
        // given
        Counters counters = ofTest(CounterExpectations.DEFAULT, 1);

        // when, then
        assertThatExceptionOfType(CounterNameException.class)
                .isThrownBy(() -> counters.await("inference_cout"))
                .withMessageStartingWith("There is no counter \"inference_cout\" among the ")
                .withMessageContaining("Nearest: other_info/inference_count");
        assertThatExceptionOfType(CounterNameException.class).isThrownBy(() -> counters.await("../neuron0/reset"));
        assertThatExceptionOfType(CounterNameException.class)
                .isThrownBy(() -> counters.await("notify_delay"))
                .withMessageEndingWith(
                        " Attributes are paths below a device or core, such as core_count or info/notify_delay.");
        assertThatExceptionOfType(CounterNameException.class).isThrownBy(() -> counters.await("info"));
        assertThatExceptionOfType(CounterNameException.class)
                .isThrownBy(
                        () -> counters.await("info/architecture/device_name").atLeast(1))
                .withMessage(
                        "\"info/architecture/device_name\" is an attribute and contains text, but \"at least +1\" is for numbers. Use matching(...).");
        assertThatExceptionOfType(CounterNameException.class)
                .isThrownBy(
                        () -> counters.await("info/architecture/device_name").within(ONE_LOOK))
                .withMessageContaining("but \"any change\" is for numbers");
    }

    @Test
    void refusesNegativeTime() {
        // given
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 1).await("inference_count");

        // when, then
        assertThatThrownBy(() -> wait.within(Duration.ofMillis(-5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The time to wait must not be negative, but was -5 ms.");
    }

    @Test
    void readsOnlyNeededCountersWhileWaiting() {
        // given
        CounterAwait wait = ofTest(CounterExpectations.DEFAULT, 1).await("inference_count");
        tree.fail(CORE + "memory_usage/host_mem", () -> {
            throw new AssertionError("this is not waited for");
        });
        tree.count(INFERENCES, 1);

        // when, then
        assertThat(wait.within(ONE_LOOK).value()).isEqualTo("1 [+1]");
    }

    @Test
    void toStringNamesCounterAndConditions() {
        // when, then
        assertThat(ofTest(CounterExpectations.DEFAULT, 1)
                        .await("inference_count")
                        .atLeast(10)
                        .atMost(20))
                .hasToString("other_info/inference_count at least +10 and at most +20");
    }
}
