package dev.neurontest.counter;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.CounterRecorder;
import dev.neurontest.internal.counter.CounterWaits;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a test's cores, for use inside the test. By default they cover the leased cores and their devices. Reading does
 * not change a counter.
 *
 * <pre>{@code
 * @NeuronTest
 * void infersHundredTimes(NeuronCore core, Counters counters) {
 *     CounterDiff diff = counters.during(() -> model.infer(100));
 *     assertThat(diff).counter("inference_count").roseBy(100);
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Counters {

    /**
     * The code that is observed.
     *
     * @param <X> type of the exceptions that the code may throw
     */
    @FunctionalInterface
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public interface Body<X extends Exception> {

        /**
         * Runs the code.
         *
         * @throws X any exception of the code
         */
        void run() throws X;
    }

    private final CounterScopes scopes;
    private final List<NeuronCore> cores;
    private final boolean wholeHost;
    private final SettleOptions settling;
    private final Supplier<ConcurrentUsers> neighbours;
    private final Consumer<CounterDiff> observer;
    private final CounterWaits waits;
    private final @Nullable CounterSnapshot beginning;
    private @Nullable CounterScope scope;

    private Counters(
            CounterScopes scopes,
            List<NeuronCore> cores,
            boolean wholeHost,
            SettleOptions settling,
            Supplier<ConcurrentUsers> neighbours,
            Consumer<CounterDiff> observer,
            CounterWaits waits,
            @Nullable CounterSnapshot beginning) {
        this.observer = observer;
        this.waits = waits;
        this.beginning = beginning;
        this.scope = beginning == null ? null : beginning.scope();
        this.scopes = scopes;
        this.cores = List.copyOf(cores);
        this.wholeHost = wholeHost;
        this.settling = settling;
        this.neighbours = neighbours;
    }

    /**
     * Creates the counters of leased cores.
     *
     * @param scopes the scopes of the host
     * @param leased the cores that the test holds; may be empty
     * @param settling options of the wait for counters to settle
     * @return the counters
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static Counters over(CounterScopes scopes, List<NeuronCore> leased, SettleOptions settling) {
        return over(scopes, leased, settling, () -> ConcurrentUsers.NONE, diff -> {});
    }

    /**
     * Creates the counters of leased cores that may share a device with other tests.
     *
     * @param scopes the scopes of the host
     * @param leased the cores that the test holds; may be empty
     * @param settling options of the wait for counters to settle
     * @param neighbours supplier of the other users of the devices, called by {@code CounterRecorder}
     * @param observer receiver of each difference that the test reads; the test itself judges these differences
     * @return the counters
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static Counters over(
            CounterScopes scopes,
            List<NeuronCore> leased,
            SettleOptions settling,
            Supplier<ConcurrentUsers> neighbours,
            Consumer<CounterDiff> observer) {
        CounterWaits none = (name, base, users) -> {
            throw new IllegalStateException("These counters can be read, but not awaited.");
        };
        return new Counters(scopes, leased, false, settling, neighbours, observer, none, null);
    }

    /**
     * Returns the same counters for a test that may wait for them.
     *
     * @param how factory of the waits
     * @param before the counters when the test began; null if they were not read then
     * @return the same counters
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Counters awaiting(CounterWaits how, @Nullable CounterSnapshot before) {
        return new Counters(scopes, cores, wholeHost, settling, neighbours, observer, how, before);
    }

    /**
     * Creates a wait for a counter, or for an attribute such as {@code reset}.
     *
     * <pre>{@code
     * counters.await("inference_count").atLeast(10).within(ofSeconds(5));
     * }</pre>
     *
     * <p>Differences begin at the start of the test. For counters returned by {@link #of(NeuronCore)} or {@link #wholeHost()},
     * they begin at this call.
     *
     * @param counterOrAttribute a counter's path below {@code stats} or its last part; or the path of an attribute below the
     *     device or the core, such as {@code reset} or {@code info/architecture/device_name}
     * @return a wait that takes conditions and then blocks
     * @throws CounterNameException when there is no such counter and no such attribute, or the name is ambiguous
     * @throws NeuronSysfsException when the counters of the host cannot be listed
     * @throws IllegalStateException when the test holds no core
     */
    public CounterAwait await(String counterOrAttribute) {
        CounterScope current = scope();
        CounterSnapshot base =
                beginning == null ? CounterRecorder.uninterrupted(() -> CounterSnapshot.of(current)) : beginning;
        return waits.begin(counterOrAttribute, base, neighbours);
    }

    /**
     * Runs code and returns the counter differences of that time. After the run, it waits for a limited time until the counters
     * settle.
     *
     * @param body the code to run
     * @param <X> type of the exceptions of the code; an exception is passed on, and no difference is returned then
     * @return the difference
     * @throws X any exception of the code
     * @throws NeuronSysfsException when the counters of the host cannot be listed
     * @throws IllegalStateException when the test holds no core
     */
    public <X extends Exception> CounterDiff during(Body<X> body) throws X {
        CounterRecorder recorder = CounterRecorder.start(scope(), settling, neighbours);
        body.run();
        CounterDiff diff = recorder.stop();
        observer.accept(diff);
        return diff;
    }

    /**
     * Reads all counters once.
     *
     * @return the snapshot; {@link CounterSnapshot#until(CounterSnapshot)} compares it with a later one
     * @throws NeuronSysfsException when the counters of the host cannot be listed
     * @throws IllegalStateException when the test holds no core
     */
    public CounterSnapshot snapshot() {
        return CounterSnapshot.of(scope());
    }

    /**
     * Returns the counters of one core and its device, leased or not.
     *
     * @param core a core of the same host
     * @return its counters
     */
    public Counters of(NeuronCore core) {
        return of(List.of(core));
    }

    /**
     * Returns the counters of some cores and their devices, leased or not.
     *
     * @param some cores of the same host
     * @return their counters
     */
    public Counters of(List<NeuronCore> some) {
        return new Counters(scopes, some, false, settling, neighbours, observer, waits, null);
    }

    /**
     * Returns the counters of all cores and devices of the host.
     *
     * @return all counters
     */
    public Counters wholeHost() {
        return new Counters(scopes, List.of(), true, settling, neighbours, observer, waits, null);
    }

    private synchronized CounterScope scope() {
        CounterScope current = scope;
        if (current == null) {
            if (!wholeHost && cores.isEmpty()) {
                throw new IllegalStateException(
                        "This test holds no core, so it has no counters. Request a NeuronCore, or use counters.of(core) or counters.wholeHost().");
            }
            current = wholeHost ? scopes.wholeHost() : scopes.of(cores);
            scope = current;
        }
        return current;
    }

    /**
     * Returns the same text for every test, because reports may show it as an argument.
     *
     * @return {@code Counters}
     */
    @Override
    public String toString() {
        return "Counters";
    }
}
