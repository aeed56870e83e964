package dev.neurontest.internal.lifecycle;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.participant.BodyOutcome;
import dev.neurontest.internal.text.VisibleText;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** An attempt of a test that can be retried on other cores. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RetryAttempt {

    private final int number;
    private final int more;
    private final Set<NeuronCore> avoided;
    private final StatusComparison statuses;
    private @Nullable Throwable deferredBy;
    private boolean reported;
    private boolean repeated;

    private RetryAttempt(int number, int more, Set<NeuronCore> avoided, StatusComparison statuses) {
        this.number = number;
        this.more = more;
        this.avoided = avoided;
        this.statuses = statuses;
    }

    /** Returns the attempts in order; each attempt decides whether another one follows. */
    public static Iterator<RetryAttempt> upTo(int times) {
        return new Iterator<>() {

            private @Nullable RetryAttempt previous;

            @Override
            public boolean hasNext() {
                return previous == null || previous.repeated;
            }

            @Override
            public RetryAttempt next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                RetryAttempt next = previous == null
                        ? new RetryAttempt(1, times, new HashSet<>(), new StatusComparison())
                        : new RetryAttempt(previous.number + 1, previous.more - 1, previous.avoided, previous.statuses);
                previous = next;
                return next;
            }
        };
    }

    /** Returns the display name of the attempt. */
    public String name() {
        return number == 1 ? "attempt 1" : "attempt %s on other cores".formatted(number);
    }

    /** Returns the cores on which earlier attempts failed. */
    public Set<NeuronCore> avoided() {
        return avoided;
    }

    /**
     * Stores the failure of the test until it is known whether its cores are suspect. Returns false if the failure must be reported at
     * once.
     */
    public boolean holdBack(Throwable failure) {
        if (more == 0 || BodyOutcome.of(failure) == BodyOutcome.ABORTED || failure instanceof VirtualMachineError) {
            return false;
        }
        deferredBy = failure;
        return true;
    }

    /** Returns the stored failure of the test. */
    public Optional<Throwable> deferredBy() {
        return Optional.ofNullable(deferredBy);
    }

    /** Records that JUnit already has the failure; no other attempt is then possible. */
    public void reported() {
        reported = true;
    }

    /** Returns why no other attempt on any cores is possible; empty if one is possible. */
    Optional<String> whyLast() {
        if (more == 0) {
            return Optional.of(number == 1 ? "neuron.test.retry is false" : "no other device was free for an attempt");
        }
        return reported ? Optional.of("a lifecycle method of the test failed") : Optional.empty();
    }

    /** Returns the statuses of all attempts so far. */
    StatusComparison statuses() {
        return statuses;
    }

    /** Decides whether there is another attempt, from these causes and the number of attempts. */
    boolean repeats(List<String> causes, Collection<NeuronCore> cores) {
        if (whyLast().isPresent() || causes.isEmpty() || statuses.isDecided()) {
            return false;
        }
        avoided.addAll(cores);
        repeated = true;
        return true;
    }

    /** Returns the exception that ends this attempt if another one follows. */
    public TestAbortedException abortion(List<String> causes, Throwable failure) {
        return new TestAbortedException(
                "attempt %s failed with a suspect core (%s) and is repeated on other cores, because neuron.test.retry is true: %s"
                        .formatted(
                                number,
                                String.join("; ", causes),
                                VisibleText.of(String.valueOf(failure.getMessage()))),
                failure);
    }
}
