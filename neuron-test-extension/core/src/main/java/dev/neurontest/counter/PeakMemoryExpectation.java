package dev.neurontest.counter;

import dev.neurontest.internal.counter.tree.CounterRow;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScope.Section;
import dev.neurontest.internal.counter.tree.CounterScope.Subject;
import dev.neurontest.internal.counter.tree.UnsignedDecimal;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.metric.ByteSize;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * An expectation that the memory of a category never exceeds a limit during the test, on each leased core.
 *
 * <p>The driver keeps one {@code peak} per counter, for all processes, since the last clearing. If the peak increased during the
 * test, the test caused it. Otherwise the test used at most the old peak. The expectation can then only be judged if the old peak
 * is within the limit, or if the peak was cleared first. If another process clears the peak during the test, its earlier maximum
 * is unknown, and the result is undecided. Clearing writes the peak files of the leased cores. Other programs may read these
 * files too, so clearing must be requested, and the old values are not restored.
 *
 * <p>The peaks of the physical cores of a logical core are added. The sum is never less than their common use.
 *
 * @param category a memory counter such as {@code device_mem} or {@code device_mem/tensors}
 * @param limit the largest allowed size
 * @param clearFirst true to clear the peak before the test
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PeakMemoryExpectation(String category, ByteSize limit, boolean clearFirst) implements CounterExpectation {

    private static final Duration CLEARED_WITHIN = Duration.ofSeconds(1);

    /**
     * The bytes that clear a peak: a zero without a newline. Every reader gets 0 from it, and the driver prints its own values
     * with a newline.
     */
    private static final byte[] CLEARING = {'0'};

    /** @hidden */
    @API(status = API.Status.INTERNAL, since = "0.1")
    @Override
    public Expectation<CounterDiff> arm(CounterScope scope) {
        String path = scope.path(category);
        List<String> refused = new ArrayList<>();
        boolean hasPeak = false;
        for (Section section : Stream.concat(scope.coreSubjects().stream(), scope.deviceSubjects().stream())
                .map(Subject::sections)
                .flatMap(List::stream)
                .toList()) {
            CounterRow row = section.row(path);
            if (row != null && row.peak() >= 0) {
                hasPeak = true;
                if (clearFirst) {
                    clear(scope, section.first() + row.peak(), refused);
                }
            }
        }
        if (!hasPeak) {
            throw new CounterNameException(
                    "\"%s\" is %s, which has no peak. Only memory counters have one.".formatted(category, path),
                    category,
                    List.of());
        }
        boolean cleared = clearFirst && refused.isEmpty();
        return diff -> Judgement.of(diff.eachPeak(path).stream()
                .map(peak -> judge(diff, peak, cleared, refused))
                .toList());
    }

    private void clear(CounterScope scope, int position, List<String> refused) {
        HostTree tree = scope.tree();
        String file = scope.file(position);
        try {
            byte[] old = tree.read(file);
            if (UnsignedDecimal.parse(old, old.length) == 0) {
                return;
            }
            tree.write(file, CLEARING);
            // Some hosts apply a write with a delay. The file contains the written bytes until then.
            if (!tree.awaitChange(file, CLEARING, CLEARED_WITHIN) || Arrays.equals(tree.read(file), old)) {
                refused.add("writing %s was accepted but had no effect".formatted(tree.location(file)));
            }
        } catch (IOException e) {
            refused.add("%s cannot be written: %s (it needs root, and in a container /sys is usually read-only)"
                    .formatted(tree.location(file), reason(e)));
        } catch (NumberFormatException e) {
            refused.add("%s does not hold %s".formatted(tree.location(file), e.getMessage()));
        }
    }

    /** Returns the reason without the file name, because the message already contains it. */
    private static String reason(IOException refused) {
        if (refused instanceof FileSystemException named && named.getReason() != null) {
            return named.getReason();
        }
        if (refused instanceof AccessDeniedException) {
            return "access is denied";
        }
        return refused.getMessage() == null ? refused.toString() : refused.getMessage();
    }

    private Judgement judge(CounterDiff diff, CounterChange peak, boolean cleared, List<String> refused) {
        if (peak.movement() == Movement.UNREADABLE) {
            return Judgement.of(CounterMessages.unreadable(toString(), peak));
        }
        CounterChange total = diff.total(peak);
        if (total.movement() == Movement.UNREADABLE) {
            return Judgement.of(CounterMessages.unreadable(toString(), total));
        }
        BigInteger used = total.before().max(total.after());
        boolean ofTest = cleared || peak.movement() == Movement.ROSE;
        BigInteger atLeast = ofTest || peak.movement() == Movement.DECREASED ? used.max(peak.after()) : used;
        BigInteger atMost = ofTest ? atLeast : used.max(peak.before()).max(peak.after());
        if (atLeast.compareTo(limit.exact()) > 0) {
            return Judgement.of(violation(peak, atLeast));
        }
        if (peak.movement() == Movement.DECREASED) {
            // The unknown peak before the clearing may be the test's own.
            return new Judgement(
                    List.of(),
                    List.of(new Undecided(toString(), peak.subject(), CounterMessages.clearedDuringTest(peak))),
                    List.of());
        }
        if (atMost.compareTo(limit.exact()) > 0) {
            return Judgement.of(undecided(peak, refused));
        }
        return new Judgement(List.of(), List.of(), notCleared(refused));
    }

    private Violation violation(CounterChange peak, BigInteger reached) {
        return new Violation(
                toString(),
                peak.subject(),
                "at most " + peak.unit().value(limit.exact()),
                peak.unit().value(reached),
                peak.counters().size() == 1
                        ? "If that is intended, raise the limit. The categories below %s show the use of the memory."
                                .formatted(category)
                        : "The peaks of %s physical cores, added up. If that is intended, raise the limit."
                                .formatted(peak.counters().size()));
    }

    private Undecided undecided(CounterChange peak, List<String> refused) {
        String reason = "The peak was already %s before the test and did not rise, so what the test used is unknown. "
                .formatted(peak.unit().value(peak.before()));
        String cure = refused.isEmpty()
                ? "Set clearFirst to clear the peak before the test."
                : "It could not be cleared first: %s.".formatted(String.join("; ", refused));
        return new Undecided(toString(), peak.subject(), reason + cure);
    }

    /** Returns a notice if clearing failed. The expectation still holds, because the old peak is within the limit. */
    private List<String> notCleared(List<String> refused) {
        if (refused.isEmpty()) {
            return List.of();
        }
        String more = refused.size() == 1 ? "" : ", and %s more".formatted(refused.size() - 1);
        return List.of("%s: the old peak is within the limit, but it could not be cleared first: %s%s."
                .formatted(this, refused.get(0), more));
    }

    /**
     * Returns the expectation as a phrase.
     *
     * @return such as {@code peak of device_mem stays under 1 GiB}
     */
    @Override
    public String toString() {
        return "peak of " + category + " stays under " + limit;
    }
}
