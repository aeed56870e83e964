package dev.neurontest.internal.participant.comparison;

import dev.neurontest.internal.profile.KeptEvents;
import dev.neurontest.internal.profile.explain.Explanation;
import dev.neurontest.internal.profile.explain.InstructionEventSource;
import dev.neurontest.internal.profile.table.DuckDb;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileEvents;
import dev.neurontest.profile.ProfileEventsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The events of the profile that is compared with a baseline. They show which instructions took longer. They are read once, when they are
 * first needed.
 */
final class ComparedEvents {

    /** Maximum number of names in a failure; the attached page contains more. */
    private static final int MOST_NAMES = 5;

    private static final String UNKNOWN = "What took longer is unknown: ";
    private static final String ADVICE =
            "Keep them with @ProfileNeff(tables = true). A baseline accepted afterwards keeps the events of its run.";

    private Optional<InstructionEventSource> source = Optional.empty();
    private @Nullable ProfileEvents events;
    private String problem = "";

    /**
     * The reason for a worse result.
     *
     * @param lines the lines for the failure message
     * @param explanation empty if the reason is unknown
     */
    record Why(List<String> lines, Optional<Explanation> explanation) {

        static final Why NOTHING = new Why(List.of(), Optional.empty());

        private static Why unknown(String reason) {
            return new Why(List.of(UNKNOWN + reason), Optional.empty());
        }
    }

    /** Adds a profile. Only the first profile with events is used, because further runs are made only for their numbers. */
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

    /** Returns the events to keep with a baseline. */
    Optional<String> kept() {
        return events().map(KeptEvents::write);
    }

    /**
     * Compares the events with those of the baseline.
     *
     * @param baseline the events file of the baseline, if there is one
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
            lines.add("  " + command(baseline.get(), source.get()));
            return new Why(lines, Optional.of(explanation));
        } catch (ProfileEventsException unreadable) {
            return Why.unknown(String.valueOf(unreadable.getMessage()));
        }
    }

    /** Returns the command that explains the change again. It names the jar of DuckDB, which only the class path of the tests contains. */
    private static String command(Path baseline, InstructionEventSource now) {
        String reader = now.kind() == InstructionEventSource.Kind.TABLES
                ? DuckDb.jar()
                        .map(jar -> " --duckdb " + SessionBaselines.quoted(jar.toString()))
                        .orElse("")
                : "";
        return "neuron-test explain %s %s%s"
                .formatted(
                        SessionBaselines.quoted(baseline.toString()),
                        SessionBaselines.quoted(now.path().toString()),
                        reader);
    }
}
