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

/**
 * The snapshot of the whole host, taken before the first recorded test. It takes some time, and the recordings of all tests begin with it.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionPicture {

    private final Platform platform;
    private final Settings settings;
    private final RunFile runFile;
    private @Nullable HostPicture picture;

    /**
     * Creates an object without taking the snapshot.
     *
     * @param settings the settings for recordings
     * @param runFile receives a notice if the snapshot fails
     */
    public SessionPicture(Platform platform, Settings settings, RunFile runFile) {
        this.platform = platform;
        this.settings = settings;
        this.runFile = runFile;
    }

    /** Returns the snapshot; empty if recordings are disabled, or if the host could not be read. */
    synchronized Optional<HostPicture> get() {
        if (picture == null && isRequested()) {
            try {
                picture = HostPicture.of(
                        platform.host().tree(),
                        new HostPicture.Options(
                                settings.value(Setting.RECORD) == RecordPolicy.REDACTED,
                                platform.kind() == Platform.Kind.REAL ? Machine.name() : Optional.empty()));
            } catch (IOException interrupted) {
                // Tried again with the next test, which may have more time.
                runFile.append(new RunEvent.Noticed(null, "A test is not recorded: " + interrupted.getMessage()));
            }
        }
        return Optional.ofNullable(picture);
    }

    /** Returns whether tests are recorded; recordings need evidence to be attached to. */
    public boolean isRequested() {
        return settings.value(Setting.RECORD) != RecordPolicy.NEVER
                && settings.value(Setting.EVIDENCE) != EvidencePolicy.NEVER;
    }
}
