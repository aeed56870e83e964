package dev.neurontest.internal.participant.comparison;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.internal.baseline.history.BaselineException;
import dev.neurontest.internal.baseline.history.BaselinePolicy;
import dev.neurontest.internal.baseline.history.BaselineProposals;
import dev.neurontest.internal.baseline.history.BaselineStore;
import dev.neurontest.internal.configuration.ConfiguredValue;
import dev.neurontest.internal.configuration.Origin;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Optional;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/** The baselines that the tests of a JVM are held against, and what they propose instead. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionBaselines {

    private final BaselineStore store;
    private final BaselineProposals proposals;
    private final String folders;

    /**
     * Those of the folder that the settings name.
     *
     * @param settings say also what becomes of what is measured
     * @param session identifies this run of the tests
     */
    public SessionBaselines(Settings settings, String session) {
        folders = option("--directory", settings.get(Setting.BASELINE_DIRECTORY))
                + option("--output", settings.get(Setting.OUTPUT));
        store = BaselineStore.in(settings.value(Setting.BASELINE_DIRECTORY));
        proposals = BaselineProposals.of(
                store,
                settings.value(Setting.OUTPUT),
                BaselinePolicy.of(settings, System.getenv(), LocalDate::now, session));
    }

    BaselineStore store() {
        return store;
    }

    /** The command that makes a baseline of what was measured, for a shell that knows none of the settings of this JVM. */
    String approval(BaselineKey key) {
        return "neuron-test baseline approve%s --only %s --note 'why'".formatted(folders, quoted(key.toString()));
    }

    private static String option(String name, ConfiguredValue<Path> folder) {
        return folder.origin() == Origin.DEFAULT
                ? ""
                : " %s %s".formatted(name, quoted(folder.value().toString()));
    }

    /** For a person who copies the line; nothing here starts a shell. */
    static String quoted(String argument) {
        return "'" + argument.replace("'", "'\\''") + "'";
    }

    /** What the events of the run of the baseline took, if that was kept. */
    Optional<Path> events(Comparison comparison) {
        try {
            return store.events(comparison.key(), comparison.stack());
        } catch (BaselineException broken) {
            return Optional.empty();
        }
    }

    /** Proposes what was measured, or writes it where the settings allow it. */
    Optional<String> keep(Comparison comparison, Optional<String> neff, Supplier<Optional<String>> events) {
        try {
            return proposals.record(comparison, neff, events);
        } catch (BaselineException broken) {
            return Optional.of("Nothing becomes a baseline of %s. %s".formatted(comparison.key(), broken.getMessage()));
        }
    }
}
