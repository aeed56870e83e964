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
import org.jspecify.annotations.Nullable;

/** The baselines for the tests of a JVM, and the proposals for new baselines. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionBaselines {

    private final Settings settings;
    private final String session;
    private @Nullable BaselineStore store;
    private @Nullable BaselineProposals proposals;

    /**
     * Creates the baselines of the folder in the settings. No folder is used before the first comparison.
     *
     * @param settings the settings for baselines, including the policy for new ones
     * @param session the id of this test run
     */
    public SessionBaselines(Settings settings, String session) {
        this.settings = settings;
        this.session = session;
        BaselineProposals.requireOwnFolder(settings.value(Setting.BASELINE_DIRECTORY), settings.value(Setting.OUTPUT));
    }

    synchronized BaselineStore store() {
        if (store == null) {
            store = BaselineStore.in(settings.value(Setting.BASELINE_DIRECTORY));
        }
        return store;
    }

    private synchronized BaselineProposals proposals() {
        if (proposals == null) {
            proposals = BaselineProposals.of(
                    store(),
                    settings.value(Setting.OUTPUT),
                    BaselinePolicy.of(settings, System.getenv(), LocalDate::now, session));
        }
        return proposals;
    }

    /** Returns the command that turns a measurement into a baseline, with all paths that a shell without the settings of this JVM needs. */
    String approval(BaselineKey key) {
        String folders = option("--directory", settings.get(Setting.BASELINE_DIRECTORY))
                + option("--output", settings.get(Setting.OUTPUT));
        return "neuron-test baseline approve%s --only %s --note 'why'".formatted(folders, quoted(key.toString()));
    }

    private static String option(String name, ConfiguredValue<Path> folder) {
        return folder.origin() == Origin.DEFAULT
                ? ""
                : " %s %s".formatted(name, quoted(folder.value().toString()));
    }

    /** Returns a quoted argument for a person who copies the line; no shell is started here. */
    static String quoted(String argument) {
        return "'" + argument.replace("'", "'\\''") + "'";
    }

    /** Returns the events file of the baseline's run, if it was kept. */
    Optional<Path> events(Comparison comparison) {
        try {
            return store().events(comparison.key(), comparison.stack());
        } catch (BaselineException broken) {
            return Optional.empty();
        }
    }

    /** Records a proposal for a new baseline, or writes the baseline if the settings allow it. */
    Optional<String> keep(Comparison comparison, Optional<String> neff, Supplier<Optional<String>> events) {
        try {
            return proposals().record(comparison, neff, events);
        } catch (BaselineException broken) {
            return Optional.of(
                    "No baseline of %s was proposed or written. %s".formatted(comparison.key(), broken.getMessage()));
        }
    }
}
