package dev.neurontest.profile.system;

import dev.neurontest.metric.Quantity;
import dev.neurontest.profile.Doubt;
import dev.neurontest.recording.Expectation;
import dev.neurontest.recording.Judgement;
import dev.neurontest.recording.Undecided;
import dev.neurontest.recording.Violation;
import dev.neurontest.text.ListText;
import dev.neurontest.text.NearestName;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * A limit on the events of one name. It is undecided when events were dropped, or there is none of that name, which is not zero.
 *
 * @param event such as {@code nrt_execute}
 * @param over what of them
 * @param max which may be reached; empty without one
 * @param min which may be reached; empty without one
 * @param rule the demand in the user's words
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record EventDemand(
        String event, EventStatistic over, Optional<Quantity> max, Optional<Quantity> min, String rule)
        implements Expectation<SystemProfile> {

    private static final int SHOWN = 8;

    @Override
    public Judgement judge(SystemProfile profile) {
        if (!profile.doubts().isEmpty()) {
            return undecided(profile.doubts().stream().map(Doubt::reason).collect(Collectors.joining(" ")));
        }
        Optional<EventTimes> times = profile.event(event);
        if (times.isEmpty()) {
            return undecided(absent(profile));
        }
        Quantity value = over.of(times.get());
        boolean kept =
                max.map(Quantity::value).filter(most -> value.value() > most).isEmpty()
                        && min.map(Quantity::value)
                                .filter(least -> value.value() < least)
                                .isEmpty();
        return kept
                ? Judgement.NOTHING
                : new Judgement(
                        List.of(new Violation(
                                rule,
                                "%s of %s".formatted(over, event),
                                expected(),
                                value.toString(),
                                "It has %s. The timeline of the system profile in %s shows when."
                                        .formatted(times.get().inWords(), profile.folder()))),
                        List.of(),
                        List.of());
    }

    private String expected() {
        return max.map(most -> "at most " + most).orElse("")
                + (max.isPresent() && min.isPresent() ? " and " : "")
                + min.map(least -> "at least " + least).orElse("");
    }

    private Judgement undecided(String reason) {
        return new Judgement(
                List.of(), List.of(new Undecided(rule, "%s of %s".formatted(over, event), reason)), List.of());
    }

    private String absent(SystemProfile profile) {
        List<String> names = profile.events().stream().map(EventTimes::name).toList();
        return "The system profile of %s has no event named %s, which is not zero: it may not have been traced.%s There are %s."
                .formatted(
                        profile.title(),
                        event,
                        NearestName.of(event, names)
                                .map(" Was %s meant?"::formatted)
                                .orElse(""),
                        names.isEmpty() ? "no events at all" : ListText.some(names, SHOWN));
    }
}
