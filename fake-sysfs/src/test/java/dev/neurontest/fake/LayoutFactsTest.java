package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FactsFixture.FactFile;
import dev.neurontest.fake.internal.files.FakeEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the tree of every layout on every instance type is the tree of the facts. */
class LayoutFactsTest {

    private static final String DEVICES = "sys/devices/virtual/neuron_device";

    /** The files that the Linux device core creates. The facts list them by name only. */
    private static final Pattern GENERIC = Pattern.compile("neuron[0-9]+/(uevent|dev|subsystem|power(/.*)?)");

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("dev.neurontest.fake.FactsFixture#everyTree")
    void filesAndModesMatchTheFacts(String layout, String instance) throws IOException {
        Map<String, FactFile> expected = FactsFixture.files(layout, instance);
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().layout(layout).instance(instance).start()) {
            // when
            Map<String, FakeEntry> actual = driverFiles(host);

            // then
            assertThat(actual.keySet()).isEqualTo(expected.keySet());
            assertThat(modes(actual)).isEqualTo(expectedModes(expected));
            assertThat(actual.values())
                    .allSatisfy(entry -> assertThat(entry.size()).isEqualTo(4096));
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        // type, counter files, driver files, directories, files of 2.30.2 (-1: no such driver); sysfs.md section 6
        "inf1.xlarge,420,432,215,-1",
        "inf1.24xlarge,6720,6912,3440,-1",
        "inf2.xlarge,222,238,118,243",
        "inf2.24xlarge,1332,1428,708,1458",
        "inf2.48xlarge,2664,2856,1416,2916",
        "trn1.32xlarge,3552,3808,1888,3888",
        "trn2.3xlarge,816,844,424,852",
        "trn2.48xlarge,13056,13504,6784,13632",
        "trn2en.24xlarge,3264,3376,1696,3408",
        "trn3e.24xlarge,3264,3376,1696,3408",
        "trn3p.48xlarge,13056,13504,6784,13632"
    })
    void fileCountsMatchRealMachines(String instance, int counters, int files, int directories, int newestFiles)
            throws IOException {
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().layout("driver-2.x").instance(instance).start()) {
            // when
            TreeWalkFixture walk = TreeWalkFixture.below(host.tree(), DEVICES);

            // then
            assertThat(driverFiles(host)).hasSize(files);
            assertThat(driverFiles(host).keySet().stream().filter(path -> path.matches(".*/(total|present|peak)")))
                    .hasSize(counters);
            assertThat(walk.directories().stream()
                            .filter(path -> !GENERIC.matcher(path).matches()))
                    .hasSize(directories);
        }
        if (newestFiles > 0) {
            try (FakeNeuronHost host = FakeNeuronHost.builder()
                    .layout("driver-2.30")
                    .instance(instance)
                    .start()) {
                assertThat(driverFiles(host)).hasSize(newestFiles);
            }
        }
    }

    @ParameterizedTest(name = "{0} is driver {1}")
    @CsvSource({
        "docs-2023,2.15.9.0",
        "docs-2025,2.18.12.0",
        "driver-2.x,2.24.7.0",
        "driver-2.27,2.27.4.0",
        "driver-2.28,2.28.0.0",
        "driver-2.29,2.29.0.0",
        "driver-2.30,2.30.2.0",
        "moved,2.99.0.0",
        "moved-deeper,2.99.1.0",
        "moved-beside,2.99.2.0"
    })
    void driverVersionMatchesTheLayout(String layout, String version) throws IOException {
        try (FakeNeuronHost host = FakeNeuronHost.builder().layout(layout).start()) {
            assertThat(read(host, "sys/module/neuron/version")).isEqualTo(version + "\n");
            assertThat(host.driverVersion()).isEqualTo(version);
        }
    }

    @Test
    void trn3UsesDriver226InLayout2x() {
        try (FakeNeuronHost host = FakeNeuronHost.builder()
                .layout("driver-2.x")
                .instance("trn3.48xlarge")
                .start()) {
            assertThat(host.driverVersion()).isEqualTo("2.26.5.0");
        }
    }

    private static Map<String, FakeEntry> driverFiles(FakeNeuronHost host) throws IOException {
        Map<String, FakeEntry> files =
                new TreeMap<>(TreeWalkFixture.below(host.tree(), DEVICES).files());
        files.keySet().removeIf(path -> GENERIC.matcher(path).matches());
        return files;
    }

    private static Map<String, String> modes(Map<String, FakeEntry> files) {
        return files.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        file -> Integer.toOctalString(file.getValue().mode())));
    }

    private static Map<String, String> expectedModes(Map<String, FactFile> files) {
        return files.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        file -> Integer.toOctalString(file.getValue().mode())));
    }

    private static String read(FakeNeuronHost host, String path) throws IOException {
        return new String(host.tree().read(path), StandardCharsets.UTF_8);
    }
}
