package dev.neurontest.internal.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import dev.neurontest.internal.text.DurationText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SettingsFuzzTest {

    private static final Map<String, Setting<?>> SETTINGS =
            Setting.all().stream().collect(Collectors.toMap(Setting::name, setting -> setting));
    private static final Duration LONGEST = Duration.ofDays(365);

    @Test
    void settingReadsBackEqualOrIsRefused() {
        Fuzzing.of(SettingsFuzzTest.class, "settings")
                .seeds(
                        "neuron.test.platform = fake:trn1.2xlarge@driver-2.30?view=fuse&user=ordinary",
                        "neuron.test.platform = fake:2xtrn1.2xlarge",
                        "neuron.test.platform = auto?hosts=/etc/mpi/hostfile",
                        "neuron.test.platform = replay:a?b.zip?timeline=static",
                        "neuron.test.platform = root:/tmp/a",
                        "neuron.test.lease.timeout = 1.5 min",
                        "neuron.test.settle.timeout = PT10.5S",
                        "neuron.test.print.settle = 500ms",
                        "neuron.test.runtime.cores = 4-7",
                        "neuron.test.baseline.runs = 5, 10, 20",
                        "neuron.test.profile.throttle = 12.5 %",
                        "neuron.test.profile.recaptures = 3",
                        "neuron.test.lease.directory = /var/tmp/größe",
                        "neuron.test.undecided = Abort",
                        "neuron.test.summary = TRUE")
                .words(
                        "any",
                        "default",
                        "auto",
                        "us",
                        "h",
                        "-PT1S",
                        "P1D",
                        "%",
                        "?",
                        "&view=",
                        "&hosts=",
                        "fake:",
                        "-",
                        "Infinity",
                        "0x1p3")
                .refusing(BadSettingException.class)
                .check(SettingsFuzzTest::read, (input, read) -> assertSaidAgain(read));
    }

    private static Settings settings(String name, String value) {
        return Settings.of(Map.of(), Map.of(name, value), Map.of(), Path.of("/none"));
    }

    /**
     * Returns the value that the line sets. An unknown name produces a warning, and any other setting has its default.
     */
    private static ConfiguredValue<?> read(byte[] input) {
        String[] line = new String(input, StandardCharsets.UTF_8).split("=", 2);
        String name = line[0].strip();
        Settings settings = settings(name, line.length < 2 ? "" : line[1]);
        boolean known = SETTINGS.containsKey(name);
        boolean looksLikeOne = name.matches("(?is)neuron[._-]?test[._-].*");
        assertThat(settings.warnings()).hasSize(looksLikeOne && !known ? 1 : 0);
        Setting<?> setting = SETTINGS.getOrDefault(name, Setting.SUMMARY);
        return settings.get(setting);
    }

    private static void assertSaidAgain(ConfiguredValue<?> read) {
        Setting<?> setting = read.setting();
        Object value = read.value() instanceof Optional<?> some && some.isPresent() ? some.get() : read.value();
        if (value instanceof Duration time) {
            assertThat(time).isBetween(Duration.ZERO, LONGEST);
            assertThat(DurationText.parse(time.toString())).isEqualTo(time);
        } else if (value instanceof PlatformChoice choice) {
            assertThat(setting.read(choice.toString())).isEqualTo(choice);
        } else if (value instanceof RuntimeCores cores) {
            assertThat(cores.count()).isPositive();
            assertThat(cores.indices()).size().isIn(0, cores.count());
        } else if (value instanceof OptionalInt limit) {
            assertThat(limit.orElse(0)).isNotNegative();
        } else if (value instanceof List<?> rising) {
            assertThat(setting.read(rising.toString().replaceAll("[\\[\\]]", "")))
                    .isEqualTo(rising);
        } else if (value instanceof Double share) {
            assertThat(share).isBetween(0.0, 1.0);
        } else if (value instanceof Enum<?> word) {
            assertThat(setting.read(EnumText.of(word))).isEqualTo(read.value());
        } else if (value instanceof Path path) {
            assertThat(setting.read(path.toString())).isEqualTo(read.value());
        }
    }
}
