package dev.neurontest.internal.participant;

import dev.neurontest.internal.configuration.ConfiguredValue;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.configuration.UndecidedKind;
import dev.neurontest.internal.configuration.UndecidedPolicies;
import dev.neurontest.internal.configuration.UndecidedPolicy;
import org.apiguardian.api.API;

/**
 * What becomes of a test that leaves something undecided.
 *
 * @param policy for what it leaves undecided
 * @param source of the policy, for messages; empty where nothing can be set
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record UndecidedHandling(UndecidedPolicy policy, String source) {

    /** It fails, whatever is set. */
    public static final UndecidedHandling NONE = new UndecidedHandling(UndecidedPolicy.FAIL, "");

    /** Returns the policy that is set for one kind. */
    public static UndecidedHandling of(Settings settings, UndecidedKind kind) {
        ConfiguredValue<UndecidedPolicies> set = settings.get(Setting.UNDECIDED);
        return new UndecidedHandling(
                set.value().of(kind), Setting.UNDECIDED + " has " + set.value().text(kind) + " (" + set.source() + ")");
    }

    /** Returns a sentence about why a test is aborted, and what would become of it otherwise. */
    String why() {
        return source.isEmpty()
                ? ""
                : "Such a test is aborted because %s; with fail it fails, with pass it passes.".formatted(source);
    }
}
