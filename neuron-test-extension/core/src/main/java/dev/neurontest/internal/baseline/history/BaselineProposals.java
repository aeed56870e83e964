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
 * What was measured and is no baseline yet, in files of the same form beside the reports of the run. A proposal stays until it is
 * written, replaced by a newer one, or its change is no longer seen.
 *
 * <p>The history of a proposal is not that of the baseline: it has one median for each session that saw the same change, with the
 * session as its note. So an improvement that is seen three times in a row can be told from a lucky day where the folder outlives
 * the session; where it does not, as in a CI job that keeps nothing, each session is the first.
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
     * The proposals of an output folder.
     *
     * @param store the baselines
     * @param output the folder for run files; proposals go to {@code baseline-proposals} in it
     * @param policy of this run
     * @return the proposals
     * @throws IllegalArgumentException when both would be the same folder
     */
    public static BaselineProposals of(BaselineStore store, Path output, BaselinePolicy policy) {
        Path folder = output.resolve(FOLDER);
        if (folder.toAbsolutePath()
                .normalize()
                .equals(store.directory().toAbsolutePath().normalize())) {
            throw new IllegalArgumentException(
                    "baselines and proposals cannot both be in %s: change neuron.test.baseline.directory"
                            .formatted(folder));
        }
        return new BaselineProposals(store, BaselineStore.in(folder), policy);
    }

    /**
     * What an approval did.
     *
     * @param written what is in the store now
     * @param left what is still proposed, with the reason
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Approval(List<BaselineChange> written, List<Left> left) {

        /**
         * A change that was not written.
         *
         * @param change which one
         * @param reason why, and what to do
         */
        @API(status = API.Status.INTERNAL, since = "0.1")
        public record Left(BaselineChange change, String reason) {}

        /**
         * Keeps its own copies.
         *
         * @param written what is in the store now
         * @param left what is still proposed
         */
        public Approval {
            written = List.copyOf(written);
            left = List.copyOf(left);
        }
    }

    /**
     * Where the proposals are.
     *
     * @return the folder
     */
    public Path directory() {
        return proposals.directory();
    }

    /**
     * Proposes what was measured, or removes the proposal where the baseline is right. Where the run may write missing baselines, a
     * proposal of one is approved at once.
     *
     * @param comparison with the baseline, or without one
     * @param neff the SHA-256 of the compiled model; empty when it is not known
     * @param events gives a text of what the events of the run took, if it has any; asked only where it is kept
     * @return a notice of what was written or proposed; empty for nothing
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
        // Not under a lock: reading events may take seconds.
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
     * All that is proposed, beside what is in the store now.
     *
     * @return by class, test, metric and stack
     * @throws BaselineException when a file cannot be read
     */
    public List<BaselineChange> changes() {
        return proposals.entries().stream().map(this::change).toList();
    }

    private BaselineChange change(BaselineEntry proposed) {
        return new BaselineChange(store.find(proposed.key(), proposed.stack()), proposed);
    }

    /**
     * Why a change would be left by an approval.
     *
     * @param change what is proposed
     * @param note why it changes; empty when none was given
     * @return sentences; empty when it is ready
     */
    public String obstacles(BaselineChange change, String note) {
        List<String> obstacles = new ArrayList<>(BaselinePolicy.obstacles(change, note));
        if (change.kind() == BaselineChange.Kind.BETTER && change.sessions() < BaselinePolicy.SESSIONS) {
            obstacles.add("It was seen in %s of %s sessions, and one may have been lucky."
                    .formatted(change.sessions(), BaselinePolicy.SESSIONS));
        }
        return String.join(" ", obstacles);
    }

    /**
     * Makes baselines of proposals.
     *
     * @param filter which ones
     * @param note why they change, needed for those that get worse; empty when none was given
     * @param early whether improvements are taken too that fewer than three sessions saw
     * @return what was written, and what was left and why
     * @throws BaselineException when a file cannot be read or written; what was written for other classes until then stays
     */
    public Approval approve(Predicate<BaselineChange> filter, String note, boolean early) {
        List<BaselineChange> written = new ArrayList<>();
        List<Approval.Left> left = new ArrayList<>();
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
                    left.add(new Approval.Left(change, reason));
                }
            }
            if (!ready.isEmpty()) {
                written.addAll(proposals.locked(() -> store.locked(() -> accept(testClass, ready, note, early, left))));
            }
        });
        return new Approval(written, left);
    }

    private String reason(BaselineChange change, String note, boolean early) {
        return early ? String.join(" ", BaselinePolicy.obstacles(change, note)) : obstacles(change, note);
    }

    /** Looks again at each, because another process may have approved meanwhile. */
    private List<BaselineChange> accept(
            String testClass, List<BaselineChange> ready, String note, boolean early, List<Approval.Left> left) {
        BaselineFile baselines = store.file(testClass);
        BaselineFile pending = proposals.file(testClass);
        List<BaselineChange> accepted = new ArrayList<>();
        List<BaselineChange> settled = new ArrayList<>();
        for (BaselineChange seen : ready) {
            BaselineEntry proposed = seen.proposed();
            BaselineChange change = new BaselineChange(baselines.find(proposed.key(), proposed.stack()), proposed);
            String reason = reason(change, note, early);
            if (!pending.find(proposed.key(), proposed.stack()).equals(Optional.of(proposed))) {
                left.add(new Approval.Left(change, "Another one was proposed, or it was approved, meanwhile."));
            } else if (!reason.isEmpty()) {
                left.add(new Approval.Left(change, reason));
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
