package dev.neurontest.internal.baseline.history;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.baseline.BaselineEntry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Measured values that are not yet baselines, in files of the same format next to the reports of the run. A proposal remains until it is
 * approved, replaced by a newer one, or its change no longer occurs.
 *
 * <p>The history of a proposal differs from that of a baseline: it contains one median for each session with the same change, and the
 * session as its note. The history distinguishes an improvement in three consecutive sessions from a chance result. This requires a folder
 * that outlives the session. In a CI job without a persistent folder, each session is the first one.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BaselineProposals {

    private static final String FOLDER = "baseline-proposals";

    private final BaselineStore store;
    private final BaselineStore proposals;
    private final BaselinePolicy policy;

    private BaselineProposals(BaselineStore store, BaselineStore proposals, BaselinePolicy policy) {
        this.store = store;
        this.proposals = proposals;
        this.policy = policy;
    }

    /**
     * Creates the proposals of an output folder.
     *
     * @param output the folder for run files; it contains the proposals in {@code baseline-proposals}
     * @throws IllegalArgumentException when baselines and proposals would use the same folder
     */
    public static BaselineProposals of(BaselineStore store, Path output, BaselinePolicy policy) {
        requireOwnFolder(store.directory(), output);
        return new BaselineProposals(store, BaselineStore.in(output.resolve(FOLDER)), policy);
    }

    /**
     * Checks that the proposals have a folder of their own.
     *
     * @param baselines folder of the baselines
     * @param output folder of all output
     * @throws IllegalArgumentException when it is the folder of the baselines
     */
    public static void requireOwnFolder(Path baselines, Path output) {
        Path folder = output.resolve(FOLDER);
        if (folder.toAbsolutePath()
                .normalize()
                .equals(baselines.toAbsolutePath().normalize())) {
            throw new IllegalArgumentException(
                    "baselines and proposals cannot both be in %s: change neuron.test.baseline.directory"
                            .formatted(folder));
        }
    }

    /**
     * The result of an approval.
     *
     * @param written the changes that are now in the store
     * @param remaining the remaining proposals, with the reasons
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Approval(List<BaselineChange> written, List<Remaining> remaining) {

        /**
         * A change that was not written.
         *
         * @param reason the reason and a remedy
         */
        @API(status = API.Status.INTERNAL, since = "0.1")
        public record Remaining(BaselineChange change, String reason) {}

        /** Creates a result with its own copies of the lists. */
        public Approval {
            written = List.copyOf(written);
            remaining = List.copyOf(remaining);
        }
    }

    /** Returns the folder of the proposals. */
    public Path directory() {
        return proposals.directory();
    }

    /**
     * Writes a proposal for a measurement, or removes the proposal if the baseline is right. If the run may write missing baselines, the
     * proposal of a first baseline is approved immediately.
     *
     * @param neff the SHA-256 of the compiled model; empty when it is unknown
     * @param events supplier of the event times of the run, if they exist; called only when they are kept
     * @return a notice about the written or proposed baseline; empty when there is none
     * @throws BaselineException when a file cannot be read or written
     */
    public Optional<String> record(Comparison comparison, Optional<String> neff, Supplier<Optional<String>> events) {
        BaselineKey key = comparison.key();
        Stack stack = comparison.stack();
        if (!BaselinePolicy.counts(comparison)) {
            return Optional.empty();
        }
        if (lacksEvents(comparison)) {
            events.get()
                    .ifPresent(text -> store.locked(() -> {
                        store.replaceEvents(key, stack, Optional.of(text));
                        return text;
                    }));
        }
        Optional<BaselineEntry> pending = proposals.find(key, stack);
        boolean proposes = proposal(comparison, neff, pending).isPresent();
        if (!proposes && pending.isEmpty()) {
            return Optional.empty();
        }
        // Events are read without a lock, because this may take seconds.
        Optional<String> kept = proposes ? events.get() : Optional.empty();
        Optional<BaselineChange> change = proposals.locked(() -> {
            BaselineFile file = proposals.file(key.testClass());
            Optional<BaselineChange> proposal = proposal(comparison, neff, file.find(key, stack));
            proposals.replace(
                    proposal.map(each -> file.with(each.proposed())).orElseGet(() -> file.without(key, stack)));
            proposals.replaceEvents(key, stack, proposal.flatMap(each -> kept));
            return proposal;
        });
        return change.map(this::notice);
    }

    private boolean lacksEvents(Comparison comparison) {
        return policy.writesMissing()
                && comparison.outcome() == ComparisonOutcome.NOT_WORSE
                && store.find(comparison.key(), comparison.stack()).isPresent()
                && store.events(comparison.key(), comparison.stack()).isEmpty();
    }

    private Optional<BaselineChange> proposal(
            Comparison comparison, Optional<String> neff, Optional<BaselineEntry> pending) {
        return policy.proposal(comparison, neff, store.find(comparison.key(), comparison.stack()), pending);
    }

    private String notice(BaselineChange change) {
        BaselineKey key = change.proposed().key();
        boolean written = policy.writesMissing()
                && change.former().isEmpty()
                && !approve(each -> each.equals(change), "", false).written().isEmpty();
        return written
                ? "The baseline of %s was written to %s.".formatted(key, store.directory())
                : "A baseline of %s is proposed in %s. %s"
                        .formatted(key, directory(), obstacles(change, ""))
                        .strip();
    }

    /**
     * Returns all proposals with the current baselines, ordered by class, test, metric and stack.
     *
     * @throws BaselineException when a file cannot be read
     */
    public List<BaselineChange> changes() {
        return proposals.entries().stream().map(this::change).toList();
    }

    private BaselineChange change(BaselineEntry proposed) {
        return new BaselineChange(store.find(proposed.key(), proposed.stack()), proposed);
    }

    /**
     * Returns the reasons why an approval would not write a change.
     *
     * @param note the reason for the change; empty when none was given
     * @return sentences; empty when the change is ready
     */
    public String obstacles(BaselineChange change, String note) {
        List<String> obstacles = new ArrayList<>(BaselinePolicy.obstacles(change, note));
        if (change.kind() == BaselineChange.Kind.BETTER && change.sessions() < BaselinePolicy.SESSIONS) {
            obstacles.add("It was seen in %s of %s sessions, and one can be a coincidence."
                    .formatted(change.sessions(), BaselinePolicy.SESSIONS));
        }
        return String.join(" ", obstacles);
    }

    /**
     * Writes proposals as baselines.
     *
     * @param filter condition for the proposals
     * @param note the reason for the changes, required for degradations; empty when none was given
     * @param early true to include improvements that occurred in fewer than three sessions
     * @return the written changes, and the remaining ones with reasons
     * @throws BaselineException when a file cannot be read or written; baselines of other classes that were already written remain
     */
    public Approval approve(Predicate<BaselineChange> filter, String note, boolean early) {
        List<BaselineChange> written = new ArrayList<>();
        List<Approval.Remaining> remaining = new ArrayList<>();
        Map<String, List<BaselineChange>> chosen = changes().stream()
                .filter(filter)
                .collect(Collectors.groupingBy(
                        change -> change.proposed().key().testClass(), TreeMap::new, Collectors.toList()));
        chosen.forEach((testClass, changes) -> {
            List<BaselineChange> ready = new ArrayList<>();
            for (BaselineChange change : changes) {
                String reason = reason(change, note, early);
                if (reason.isEmpty()) {
                    ready.add(change);
                } else {
                    remaining.add(new Approval.Remaining(change, reason));
                }
            }
            if (!ready.isEmpty()) {
                written.addAll(
                        proposals.locked(() -> store.locked(() -> accept(testClass, ready, note, early, remaining))));
            }
        });
        return new Approval(written, remaining);
    }

    private String reason(BaselineChange change, String note, boolean early) {
        return early ? String.join(" ", BaselinePolicy.obstacles(change, note)) : obstacles(change, note);
    }

    /** Checks each change again under the lock, because another process may have approved it in the time between. */
    private List<BaselineChange> accept(
            String testClass,
            List<BaselineChange> ready,
            String note,
            boolean early,
            List<Approval.Remaining> remaining) {
        BaselineFile baselines = store.file(testClass);
        BaselineFile pending = proposals.file(testClass);
        List<BaselineChange> accepted = new ArrayList<>();
        List<BaselineChange> settled = new ArrayList<>();
        for (BaselineChange candidate : ready) {
            BaselineEntry proposed = candidate.proposed();
            BaselineChange change = new BaselineChange(baselines.find(proposed.key(), proposed.stack()), proposed);
            String reason = reason(change, note, early);
            if (!pending.find(proposed.key(), proposed.stack()).equals(Optional.of(proposed))) {
                remaining.add(new Approval.Remaining(
                        change, "Another baseline was proposed, or this one was approved, in between."));
            } else if (!reason.isEmpty()) {
                remaining.add(new Approval.Remaining(change, reason));
            } else {
                pending = pending.without(proposed.key(), proposed.stack());
                settled.add(change);
                if (change.kind() != BaselineChange.Kind.SAME) {
                    baselines = baselines.with(change.accepted(note));
                    accepted.add(change);
                }
            }
        }
        store.replace(baselines);
        proposals.replace(pending);
        for (BaselineChange change : settled) {
            BaselineKey key = change.proposed().key();
            Stack stack = change.proposed().stack();
            if (accepted.contains(change)) {
                store.replaceEvents(key, stack, proposals.readEvents(key, stack));
            }
            proposals.replaceEvents(key, stack, Optional.empty());
        }
        return accepted;
    }
}
