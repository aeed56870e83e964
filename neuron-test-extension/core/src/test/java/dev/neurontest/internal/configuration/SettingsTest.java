package dev.neurontest.internal.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.text.ListText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

    private final Map<String, String> parameters = new HashMap<>();
    private final Map<String, String> properties = new HashMap<>();
    private final Map<String, String> environment = new HashMap<>();

    @TempDir
    Path workingDirectory;

    private Settings settings() {
        return Settings.of(parameters, properties, environment, workingDirectory);
    }

    private Settings ofCommand() {
        return Settings.of(parameters, Map.of(Setting.PLATFORM, "--platform"));
    }

    @Test
    void givenSettingsHaveTheirOriginWithoutThoseOfTheWholeRun() {
        // given
        parameters.put("neuron.test.evidence", "always");
        properties.put("neuron.test.lnc", "2");
        environment.put("NEURON_TEST_PLATFORM", "real");
        environment.put("NEURON_TEST_OUTPUT", "elsewhere");
        environment.put("NEURON_TEST_SHARD", "1/2");
        environment.put("NEURON_TEST_INVOCATION", "3");

        // when, then
        assertThat(settings().given())
                .extracting(Object::toString)
                .containsExactly(
                        "real (from environment variable NEURON_TEST_PLATFORM)",
                        "always (from JUnit configuration parameter neuron.test.evidence)",
                        "2 (from system property neuron.test.lnc)");
    }

    @Nested
    class Order {

        @Test
        void optionOfCommandComesFirst() {
            // given
            parameters.put("neuron.test.platform", "fake:trn1.2xlarge");
            System.setProperty("neuron.test.platform", "fake:trn1.2xlarge");

            // when
            ConfiguredValue<PlatformChoice> platform;
            try {
                platform = ofCommand().get(Setting.PLATFORM);
            } finally {
                System.clearProperty("neuron.test.platform");
            }

            // then
            assertThat(platform).hasToString("fake:trn1.2xlarge (from --platform)");
        }

        @Test
        void junitParameterPrecedesSystemProperty() {
            // given
            parameters.put("neuron.test.evidence", "always");
            properties.put("neuron.test.evidence", "never");

            // when
            ConfiguredValue<EvidencePolicy> evidence = settings().get(Setting.EVIDENCE);

            // then
            assertThat(evidence.value()).isEqualTo(EvidencePolicy.ALWAYS);
            assertThat(evidence).hasToString("always (from JUnit configuration parameter neuron.test.evidence)");
        }

        @Test
        void systemPropertyPrecedesEnvironmentVariable() {
            // given
            properties.put("neuron.test.evidence", "never");
            environment.put("NEURON_TEST_EVIDENCE", "always");

            // when
            ConfiguredValue<EvidencePolicy> evidence = settings().get(Setting.EVIDENCE);

            // then
            assertThat(evidence.value()).isEqualTo(EvidencePolicy.NEVER);
            assertThat(evidence).hasToString("never (from system property neuron.test.evidence)");
        }

        @Test
        void environmentVariablePrecedesDefault() {
            // given
            environment.put("NEURON_TEST_PLATFORM", "fake:trn1.2xlarge");

            // when
            ConfiguredValue<PlatformChoice> platform = settings().get(Setting.PLATFORM);

            // then
            assertThat(platform).hasToString("fake:trn1.2xlarge (from environment variable NEURON_TEST_PLATFORM)");
        }

        @Test
        void everyEnvironmentVariableIsExportableByShell() {
            assertThat(Setting.all())
                    .allSatisfy(
                            setting -> assertThat(setting.environmentVariable()).matches("NEURON_TEST(_[A-Z]+)+"));
        }

        @Test
        void defaultIsMarkedAsDefault() {
            // when
            ConfiguredValue<PlatformChoice> platform = settings().get(Setting.PLATFORM);

            // then
            assertThat(platform).hasToString("auto (default)");
        }

        @Test
        void systemPropertyPassedOnByJunitKeepsItsOrigin() {
            // given
            parameters.put("neuron.test.lnc", "2");
            properties.put("neuron.test.lnc", "2");

            // when
            ConfiguredValue<OptionalInt> lnc = settings().get(Setting.LNC);

            // then
            assertThat(lnc.origin()).isEqualTo(Origin.SYSTEM_PROPERTY);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "  "})
        void blankValueCountsAsAbsent(String blank) {
            // given
            properties.put("neuron.test.evidence", blank);
            environment.put("NEURON_TEST_EVIDENCE", "never");

            // when
            ConfiguredValue<EvidencePolicy> evidence = settings().get(Setting.EVIDENCE);

            // then
            assertThat(evidence.origin()).isEqualTo(Origin.ENVIRONMENT_VARIABLE);
        }

        @Test
        void systemPropertiesOfJvmAreReadAtCreation() {
            // given
            String name = Setting.LEASE_TIMEOUT.name();
            System.setProperty(name, "7 s");
            try {
                // when
                Settings settings = Settings.of(parameter -> Optional.empty());
                System.setProperty(name, "8 s");

                // then
                assertThat(settings.get(Setting.LEASE_TIMEOUT)).hasToString("7 s (from system property " + name + ")");
            } finally {
                System.clearProperty(name);
            }
        }
    }

    @Nested
    class Defaults {

        @Test
        void matchDocumentation() {
            // when
            Settings settings = settings();

            // then
            assertThat(settings.value(Setting.PLATFORM))
                    .isEqualTo(new PlatformChoice.Hardware(false, Optional.empty()));
            assertThat(settings.value(Setting.EVIDENCE)).isEqualTo(EvidencePolicy.FAILURE);
            assertThat(settings.value(Setting.LEASE_TIMEOUT)).isEqualTo(Duration.ofMinutes(10));
            assertThat(settings.value(Setting.SETTLE_TIMEOUT)).isEqualTo(Duration.ofSeconds(2));
            assertThat(settings.value(Setting.UNDECIDED)).isEqualTo(UndecidedPolicies.parse(UndecidedPolicies.DEFAULT));
            assertThat(settings.value(Setting.LNC)).isEmpty();
            assertThat(settings.value(Setting.CORE_MAP)).isEqualTo(CoreNumbering.BY_FAMILY);
            assertThat(settings.value(Setting.SUMMARY)).isTrue();
        }

        @ParameterizedTest
        @CsvSource({
            "pom.xml, target/neuron-test",
            "build.gradle, build/neuron-test",
            "build.gradle.kts, build/neuron-test",
            "settings.gradle, build/neuron-test",
            "settings.gradle.kts, build/neuron-test",
            "README.md, neuron-test"
        })
        void outputIsInFolderOfBuildTool(String file, Path expected) throws IOException {
            // given
            Files.createFile(workingDirectory.resolve(file));

            // when
            Path output = settings().value(Setting.OUTPUT);

            // then
            assertThat(output).isEqualTo(expected);
        }
    }

    @Nested
    class Values {

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {"1 | 1 | []", "16 | 16 | []", "4-4 | 1 | [4]", "4-7 | 4 | [4, 5, 6, 7]"})
        void ofRuntimeCoresAreNumberOrRange(String text, int count, String indices) {
            // given
            parameters.put("neuron.test.runtime.cores", text);

            // when
            RuntimeCores cores = settings().value(Setting.RUNTIME_CORES);

            // then
            assertThat(cores.count()).isEqualTo(count);
            assertThat(cores.indices()).hasToString(indices);
        }

        @ParameterizedTest
        @CsvSource({"1, 1", "2, 2"})
        void ofLncAreOneOrTwo(String text, int expected) {
            // given
            parameters.put("neuron.test.lnc", text);

            // when, then
            assertThat(settings().value(Setting.LNC)).hasValue(expected);
        }

        @ParameterizedTest
        @CsvSource({
            "neuron.test.settle.interval, AUTO",
            "neuron.test.shard, Auto",
            "neuron.test.shard, AUTO/8",
            "neuron.test.shard, None",
            "neuron.test.shard.timings, NONE",
            "neuron.test.lease.directory, Default",
            "neuron.test.lnc, DEFAULT",
            "neuron.test.invocation, ALL",
            "neuron.test.evidence, ALWAYS",
            "neuron.test.platform, Auto"
        })
        void areReadInCapitals(String name, String text) {
            // given
            Setting<?> setting = Setting.all().stream()
                    .filter(each -> each.name().equals(name))
                    .findFirst()
                    .orElseThrow();
            properties.put(name, text);
            Object value = settings().value(setting);

            // when
            properties.put(name, text.toLowerCase(Locale.ROOT));

            // then
            assertThat(value).isEqualTo(settings().value(setting));
        }

        @Test
        void areReadInAnyCaseAndTrimmed() {
            // given
            parameters.put("neuron.test.undecided", " Abort ");
            parameters.put("neuron.test.core.map", "IDENTITY");
            parameters.put("neuron.test.summary", "False");
            parameters.put("neuron.test.output", " some where ");

            // when
            Settings settings = settings();

            // then
            assertThat(settings.value(Setting.UNDECIDED)).isEqualTo(UndecidedPolicies.parse("abort"));
            assertThat(settings.value(Setting.CORE_MAP)).isEqualTo(CoreNumbering.IDENTITY);
            assertThat(settings.value(Setting.SUMMARY)).isFalse();
            assertThat(settings.value(Setting.OUTPUT)).isEqualTo(Path.of("some where"));
        }

        @ParameterizedTest
        @CsvSource({
            "ALWAYS, true, true",
            "ALWAYS, false, true",
            "FAILURE, true, false",
            "FAILURE, false, true",
            "NEVER, true, false",
            "NEVER, false, false"
        })
        void ofEvidencePolicyDependOnTestOutcome(EvidencePolicy policy, boolean passed, boolean expected) {
            // when, then
            assertThat(policy.keeps(passed)).isEqualTo(expected);
        }
    }

    @Nested
    class BadValues {

        @Test
        void areReportedWithNameOriginProblemAndExpectation() {
            // given
            environment.put("NEURON_TEST_PLATFORM", "fake:trn1.2xlarge?veiw=directory");

            // when, then
            assertThatExceptionOfType(BadSettingException.class)
                    .isThrownBy(() -> settings().get(Setting.PLATFORM))
                    .withMessage("neuron.test.platform is \"fake:trn1.2xlarge?veiw=directory\""
                            + " (from environment variable NEURON_TEST_PLATFORM):"
                            + " unknown option \"veiw\", did you mean \"view\"?"
                            + " Expected auto[?hosts=<file>], real[?hosts=<file>],"
                            + " fake:[<hosts>x]<instance type>[@<layout>]"
                            + "[?view=in-process|directory|fuse&user=root|ordinary&hosts=<file>],"
                            + " root:<directory> or replay:<file>[?timeline=play|static]."
                            + " Correct it, or remove it for the default: auto.");
        }

        @Test
        void areReportedWithOptionOfCommand() {
            // given
            parameters.put("neuron.test.platform", "fak:trn1");

            // when, then
            assertThatExceptionOfType(BadSettingException.class)
                    .isThrownBy(() -> ofCommand().get(Setting.PLATFORM))
                    .withMessageStartingWith("--platform is \"fak:trn1\": unknown platform \"fak\","
                            + " did you mean \"fake\"? Expected auto[?hosts=<file>], real")
                    .withMessageEndingWith(
                            " Correct it, or remove it to use the setting neuron.test.platform (default: auto).");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "neuron.test.evidence | failures | unknown policy \"failures\", did you mean \"failure\"?",
                    "neuron.test.undecided | skip | unknown policy \"skip\", known are fail, abort, pass",
                    "neuron.test.undecided | noise=fail | unknown kind \"noise\", did you mean \"noisy\"?",
                    "neuron.test.undecided | prints=skip | unknown policy \"skip\", known are fail, abort, pass",
                    "neuron.test.undecided | prints=fail, abort | \"abort\" does not have the form KIND=POLICY",
                    "neuron.test.undecided | prints=pass, prints=fail | prints occurs twice",
                    "neuron.test.core.map | permuted | unknown map \"permuted\", known are by-family, identity, trn2, trn2-flipped, trn3-pds, trn3-pds-2-26",
                    "neuron.test.lnc | 4 | there is no such configuration",
                    "neuron.test.summary | yes | it is neither",
                    "neuron.test.lease.timeout | 30 | the unit is missing",
                    "neuron.test.settle.timeout | forever | it is not a duration",
                    "neuron.test.record | always | unknown policy \"always\", known are never, failure, redacted",
                    "neuron.test.settle.interval | -PT1S | it is negative",
                    "neuron.test.missing | ignore | unknown policy \"ignore\", known are fail, skip",
                    "neuron.test.profile.throttle | 0.05 | it has no %, so it could also be a fraction of 1",
                    "neuron.test.profile.throttle | some % | it is not a number",
                    "neuron.test.profile.throttle | 500 % | it is not between 0 % and 100 %",
                    "neuron.test.runtime.cores | 0 | it is neither",
                    "neuron.test.runtime.cores | 4,5 | it is neither",
                    "neuron.test.runtime.cores | 7-4 | the first is above the last",
                    "neuron.test.runtime.close | never | unknown moment \"never\", known are session, test",
                    "neuron.test.runtime.leaks | pass | unknown policy \"pass\", known are fail, notice",
                    "neuron.test.print.workloads | pipe | unknown way \"pipe\", known are files, python",
                    "neuron.test.profile.recaptures | many | it is not a number",
                    "neuron.test.profile.recaptures | 101 | it is not between 0 and 100",
                })
        void areExplainedForEveryType(String name, String text, String problem) {
            // given
            properties.put(name, text);
            Setting<?> setting = Setting.all().stream()
                    .filter(each -> each.name().equals(name))
                    .findFirst()
                    .orElseThrow();

            // when, then
            assertThatExceptionOfType(BadSettingException.class)
                    .isThrownBy(() -> settings().get(setting))
                    .withMessageStartingWith(
                            name + " is \"" + text + "\" (from system property " + name + "): " + problem)
                    .withMessageContaining(" Expected " + setting.expected() + ".");
        }

        @Test
        void doNotHideOtherSettings() {
            // given
            properties.put("neuron.test.evidence", "sometimes");

            // when
            Settings settings = settings();

            // then
            assertThat(settings.value(Setting.UNDECIDED)).isEqualTo(UndecidedPolicies.parse(UndecidedPolicies.DEFAULT));
        }

        @Test
        void ofPathAreRefusedWithExpectation() {
            // given
            properties.put("neuron.test.output", "a\0b");

            // when, then
            assertThatExceptionOfType(BadSettingException.class)
                    .isThrownBy(() -> settings().get(Setting.OUTPUT))
                    .withMessageContaining("Expected a directory.");
        }
    }

    @Nested
    class Warnings {

        @Test
        void nameNearestSetting() {
            // given
            parameters.put("neuron.test.platfrom", "real");
            parameters.put("neuron.test.evidense", "always");
            properties.put("neuron.test.evidense", "always");
            properties.put("neuron.test.lease.time", "1 s");
            environment.put("NEURON_TEST_PLATFROM", "real");

            // when, then
            assertThat(settings().warnings())
                    .containsExactly(
                            "configuration parameter neuron.test.platfrom is not a setting and has no effect; did you mean neuron.test.platform?",
                            "system property neuron.test.evidense is not a setting and has no effect; did you mean neuron.test.evidence?",
                            "system property neuron.test.lease.time is not a setting and has no effect; did you mean neuron.test.lease.timeout?",
                            "environment variable NEURON_TEST_PLATFROM is not a setting and has no effect; did you mean NEURON_TEST_PLATFORM?");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Neuron.Test.Platform",
                    "neuron.test.PLATFORM",
                    "neuron-test.platform",
                    "neurontest.platform",
                    "NEURON_TEST_PLATFORM"
                })
        void nameSettingOfPropertyInOtherForm(String property) {
            // given
            properties.put(property, "real");

            // when, then
            assertThat(settings().warnings())
                    .containsExactly("system property " + property
                            + " is not a setting and has no effect; did you mean neuron.test.platform?");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"neuron_test_platform", "NEURON_TEST_Platform", "NEURONTEST_PLATFORM", "neuron.test.platform"
                })
        void nameSettingOfVariableInOtherForm(String variable) {
            // given
            environment.put(variable, "real");

            // when, then
            assertThat(settings().warnings())
                    .containsExactly("environment variable " + variable
                            + " is not a setting and has no effect; did you mean NEURON_TEST_PLATFORM?");
        }

        @ParameterizedTest
        @CsvSource({
            "profile.undecided, undecided",
            "runtime.missing, missing",
            "record.redact, record",
            "print.undecided, undecided",
            "shard.count, shard",
            "profile.throttled, undecided",
            "baseline.no_baseline, undecided"
        })
        void nameSettingAtStartOrEndOfLongerName(String written, String setting) {
            // given
            properties.put("neuron.test." + written, "x");

            // when, then
            assertThat(settings().warnings())
                    .containsExactly("system property neuron.test." + written
                            + " is not a setting and has no effect; did you mean neuron.test." + setting + "?");
        }

        @Test
        void ignoreProcessTreeVariable() {
            // given
            environment.put("NEURONTEST_PROCESS_TREE", "x@4711");

            // when, then
            assertThat(settings().warnings()).isEmpty();
        }

        @Test
        void listAllSettingsWhenNoneIsSimilar() {
            // given
            properties.put("neuron.test.colour", "blue");

            // when, then
            assertThat(settings().warnings())
                    .containsExactly(
                            "system property neuron.test.colour is not a setting and has no effect; the settings are neuron.test. followed by "
                                    + ListText.of(
                                            Setting.all(),
                                            setting -> setting.name().substring("neuron.test.".length())));
        }

        @Test
        void areAbsentForSettingsAndForeignNames() {
            // given
            properties.put("neuron.test.lnc", "1");
            properties.put("neuron.tests", "1");
            environment.put("NEURON_TEST_LEASE_TIMEOUT", "1 s");
            environment.put("NEURON_RT_VISIBLE_CORES", "0");

            // when, then
            assertThat(settings().warnings()).isEmpty();
        }
    }

    /** Limits the number of settings. A new one needs a reason on its page, and another one to be removed. */
    @Test
    void thereAreAtMostFortySettings() {
        assertThat(Setting.all()).hasSizeLessThanOrEqualTo(40);
    }

    @Test
    void listingShowsValueOriginMeaningAndDefault() {
        // given
        parameters.put("neuron.test.platform", "fake:trn1.2xlarge");
        properties.put("neuron.test.evidence", "sometimes");
        environment.put("NEURON_TEST_LNK", "2");

        // when
        String text = settings().toText();

        // then
        assertThat(text).startsWith("""
                        neuron.test.platform = fake:trn1.2xlarge (from JUnit configuration parameter neuron.test.platform)
                            which host the tests run on: its own devices (auto: skip without them, real: fail without them), a fake, a directory, a recording
                            accepts: auto[?hosts=<file>], real[?hosts=<file>], fake:[<hosts>x]<instance type>[@<layout>][?view=in-process|directory|fuse&user=root|ordinary&hosts=<file>], root:<directory> or replay:<file>[?timeline=play|static]
                            default: auto
                        neuron.test.fake.folder = auto (default)
                            the folder in which a fake host creates a folder for its files
                            accepts: a directory from which programs can be run, or auto
                            default: auto: /dev/shm (in memory) if it has enough space, otherwise java.io.tmpdir
                        neuron.test.output = neuron-test (default)
                        """).contains("""
                        neuron.test.evidence = ? neuron.test.evidence is "sometimes" (from system property neuron.test.evidence)""").contains("""
                        neuron.test.settle.interval = auto (default)
                            the time between two readings that must be equal before counters count as settled; auto waits only where a process has a device open
                            accepts: a duration such as 500 ms, 30 s, 10 min, 1 h or PT10S, at most 365 days, or auto
                            default: auto: 10 ms on files, 0 in process
                        """).endsWith("""
                        warning: environment variable NEURON_TEST_LNK is not a setting and has no effect; did you mean NEURON_TEST_LNC?
                        """);
        assertThat(Setting.all()).allSatisfy(setting -> assertThat(text).contains(setting.name() + " = "));
    }
}
