package dev.neurontest.internal.command;

import dev.neurontest.internal.configuration.PlatformChoice;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that selects the host of a command. */
final class HostOption {

    static final String NAME = "--platform";

    @Option(
            names = NAME,
            paramLabel = "HOST",
            completionCandidates = PlatformCandidates.class,
            description =
                    "which host: auto, real, fake:trn1.32xlarge, root:/some/folder, replay:some.archive.txt; the default is neuron.test.platform")
    private @Nullable String platform;

    /** Returns the files of the host, which the command reads. */
    OutputFiles files() {
        PlatformChoice choice = settings().value(Setting.PLATFORM);
        return new OutputFiles()
                .input(
                        NAME,
                        choice instanceof PlatformChoice.Root root
                                ? root.directory()
                                : choice instanceof PlatformChoice.Replay replay ? replay.file() : null);
    }

    Settings settings() {
        return Settings.of(
                platform == null ? Map.of() : Map.of(Setting.PLATFORM.name(), platform),
                Map.of(Setting.PLATFORM, NAME));
    }
}
