package dev.neurontest.internal.participant.replay;

import dev.neurontest.internal.archive.HostPicture;
import dev.neurontest.internal.configuration.EvidencePolicy;
import dev.neurontest.internal.configuration.RecordPolicy;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.evidence.Machine;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.platform.Platform;
import java.io.IOException;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The whole host as the first test that is recorded finds it. It takes a while, and the recordings of all tests begin with it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionPicture {

    private final Platform platform;
    private final Settings settings;
    private final RunFile runFile;
    private @Nullable HostPicture picture;

    /**
     * Not taken yet.
     *
     * @param platform the host
     * @param settings say whether it is wanted
     * @param runFile is told when it cannot be taken
     */
    public SessionPicture(Platform platform, Settings settings, RunFile runFile) {
        this.platform = platform;
        this.settings = settings;
        this.runFile = runFile;
    }

    /** Empty when recordings are not wanted, or the host could not be looked at. */
    synchronized Optional<HostPicture> get() {
        if (picture == null && wanted()) {
            try {
                picture = HostPicture.of(
                        platform.host().tree(),
                        new HostPicture.Options(
                                settings.value(Setting.RECORD) == RecordPolicy.REDACTED,
                                platform.kind() == Platform.Kind.REAL ? Machine.name() : Optional.empty()));
            } catch (IOException interrupted) {
                // The next test may have more time.
                runFile.append(new RunEvent.Noticed(null, "A test is not recorded: " + interrupted.getMessage()));
            }
        }
        return Optional.ofNullable(picture);
    }

    /** Without evidence there is no place for recordings. */
    private boolean wanted() {
        return settings.value(Setting.RECORD) != RecordPolicy.NEVER
                && settings.value(Setting.EVIDENCE) != EvidencePolicy.NEVER;
    }
}
