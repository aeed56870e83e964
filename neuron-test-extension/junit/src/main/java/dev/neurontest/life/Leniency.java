package dev.neurontest.life;

import dev.neurontest.configuration.ConfiguredValue;
import dev.neurontest.configuration.Setting;
import dev.neurontest.configuration.Settings;
import dev.neurontest.configuration.UndecidedPolicy;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a test that leaves something undecided.
 *
 * @param policy what
 * @param said which setting says so; null where none does
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Leniency(UndecidedPolicy policy, @Nullable ConfiguredValue<UndecidedPolicy> said) {

    /** It fails, whatever is set. */
    public static final Leniency NONE = new Leniency(UndecidedPolicy.FAIL, null);

    /** As it is set. */
    public static Leniency of(Settings settings, Setting<UndecidedPolicy> setting) {
        ConfiguredValue<UndecidedPolicy> said = settings.get(setting);
        return new Leniency(said.value(), said);
    }

    /** Why a test is aborted and what would become of it otherwise. */
    String why() {
        return said == null
                ? ""
                : "Such a test is aborted because %s is %s; with fail it fails, with pass it passes."
                        .formatted(said.setting(), said);
    }
}
