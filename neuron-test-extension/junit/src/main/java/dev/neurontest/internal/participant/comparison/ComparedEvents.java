package dev.neurontest.internal.participant.comparison;

import dev.neurontest.internal.profile.KeptEvents;
import dev.neurontest.internal.profile.explain.Explanation;
import dev.neurontest.internal.profile.explain.InstructionEventSource;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileEvents;
import dev.neurontest.profile.ProfileEventsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the events of the profile took that a test is compared by: they say what took longer. They are read when they are needed, once. */
final class ComparedEvents {

    /** More names are in the page that is attached. */
    private static final int MOST_NAMES = 5;

    private static final String UNKNOWN = "What took longer is not known: ";
    private static final String ADVICE =
            "Keep them with @ProfileNeff(tables = true); a baseline that is accepted then keeps those of its run.";

    private Optional<InstructionEventSource> source = Optional.empty();
    private @Nullable ProfileEvents events;
    private String problem = "";

    /**
     * Why a comparison came out worse.
     *
     * @param lines for the failure
     * @param explanation empty where it is not known
     */
    record Why(List<String> lines, Optional<Explanation> explanation) {

        static final Why NOTHING = new Why(List.of(), Optional.empty());

        private static Why unknown(String reason) {
            return new Why(List.of(UNKNOWN + reason), Optional.empty());
        }
    }

    /** The first profile that has events is the one that counts: further runs are made for their numbers only. */
    void add(Profile profile) {
        source = source.or(() -> InstructionEventSource.of(profile));
    }

    private Optional<ProfileEvents> events() {
        if (events == null && problem.isEmpty() && source.isPresent()) {
            try {
                events = source.get().events();
            } catch (ProfileEventsException unreadable) {
                problem = String.valueOf(unreadable.getMessage());
            }
        }
        return Optional.ofNullable(events);
    }

    /** What is kept beside a baseline. */
    Optional<String> kept() {
        return events().map(KeptEvents::write);
    }

    /**
     * Compares with what was kept.
     *
     * @param baseline the file beside the baseline, if there is one
     */
    Why why(Optional<Path> baseline) {
        if (source.isEmpty()) {
            return Why.unknown("this profile has no events. " + ADVICE);
        }
        Optional<ProfileEvents> now = events();
        if (now.isEmpty()) {
            return Why.unknown(problem);
        }
        if (baseline.isEmpty()) {
            return Why.unknown("the baseline has no events of its run. " + ADVICE);
        }
        try {
            Explanation explanation =
                    Explanation.of(InstructionEventSource.find(baseline.get()).events(), now.get());
            List<String> lines = new ArrayList<>();
            lines.add("What took longer, by the events of one execution:");
            lines.addAll(explanation.beginning(MOST_NAMES));
            lines.add("All of it:");
            lines.add("  neuron-test explain %s %s"
                    .formatted(
                            SessionBaselines.quoted(baseline.get().toString()),
                            SessionBaselines.quoted(source.get().path().toString())));
            return new Why(lines, Optional.of(explanation));
        } catch (ProfileEventsException unreadable) {
            return Why.unknown(String.valueOf(unreadable.getMessage()));
        }
    }
}
