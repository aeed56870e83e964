package dev.neurontest;

import dev.neurontest.archive.HostPicture;
import dev.neurontest.configuration.EvidencePolicy;
import dev.neurontest.configuration.RecordPolicy;
import dev.neurontest.configuration.Setting;
import dev.neurontest.configuration.Settings;
import dev.neurontest.evidence.Machine;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.platform.Platform;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The whole host as the first test that is recorded finds it. It takes a while, and the recordings of all tests begin with it. */
final class SessionPicture {

    private final Session session;
    private @Nullable HostPicture picture;

    SessionPicture(Session session) {
        this.session = session;
    }

    /** Empty when recordings are not wanted, or the host could not be looked at. */
    synchronized Optional<HostPicture> get() {
        if (picture == null && wanted()) {
            Platform platform = session.host().platform();
            try {
                picture = HostPicture.of(
                        platform.host().tree(),
                        new HostPicture.Options(
                                session.settings().value(Setting.RECORD_REDACT),
                                platform.kind() == Platform.Kind.REAL ? Machine.name() : Optional.empty()));
            } catch (IOException interrupted) {
                // The next test may have more time.
                session.runFile()
                        .append(new RunEvent.Noticed(null, "A test is not recorded: " + interrupted.getMessage()));
            }
        }
        return Optional.ofNullable(picture);
    }

    /** Without evidence there is no place for recordings. */
    private boolean wanted() {
        Settings settings = session.settings();
        return settings.value(Setting.RECORD) == RecordPolicy.FAILURE
                && settings.value(Setting.EVIDENCE) != EvidencePolicy.NEVER;
    }
}
