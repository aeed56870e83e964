package dev.neurontest.internal.participant;

import dev.neurontest.internal.configuration.ConfiguredValue;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.configuration.UndecidedKind;
import dev.neurontest.internal.configuration.UndecidedPolicies;
import dev.neurontest.internal.configuration.UndecidedPolicy;
import org.apiguardian.api.API;

/**
 * The handling of a test that leaves a result undecided.
 *
 * @param policy the policy for undecided results
 * @param source the source of the policy, for messages; empty if it cannot be configured
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record UndecidedHandling(UndecidedPolicy policy, String source) {

    /** Handling that always fails the test, regardless of the settings. */
    public static final UndecidedHandling NONE = new UndecidedHandling(UndecidedPolicy.FAIL, "");

    /** Returns the configured handling for one kind of undecided result. */
    public static UndecidedHandling of(Settings settings, UndecidedKind kind) {
        ConfiguredValue<UndecidedPolicies> set = settings.get(Setting.UNDECIDED);
        return new UndecidedHandling(
                set.value().of(kind), Setting.UNDECIDED + " has " + set.value().text(kind) + " (" + set.source() + ")");
    }

    /** Returns a sentence that explains why a test is aborted, and the outcome under other settings. */
    String why() {
        return source.isEmpty()
                ? ""
                : "Such a test is aborted because %s; with fail it fails, with pass it passes.".formatted(source);
    }
}
