package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A comparison of the exports of the library of a host with the table of the facts. */
class RuntimeExportsTest {

    @BeforeAll
    static void requireLibrary() {
        RuntimeProgramFixture.requireLibrary();
    }

    /** Returns the exports that the table lists for a release. */
    private static SortedSet<String> ofTheFacts(int release) throws IOException {
        SortedSet<String> names = new TreeSet<>();
        try (InputStream table = RuntimeExportsTest.class.getResourceAsStream("libnrt-symbols.txt")) {
            new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split(" "))
                    .filter(words -> Integer.parseInt(words[1].substring("2.".length())) <= release)
                    .forEach(words -> names.add(words[0]));
        }
        return names;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2.28.23.0",
                "2.29.40.0",
                "2.30.50.0",
                "2.31.24.0",
                "2.32.31.0",
                "2.33.10.0",
                "2.34.10.0",
                "2.35.30.0"
            })
    void matchTheFactsOfTheRelease(String version) throws Exception {
        int release = Integer.parseInt(version.split("\\.")[1]);
        try (FakeNeuronHost host = FakeNeuronHost.builder().start()) {
            host.directory();
            host.runtime().release(version);

            assertThat(host.runtime().version()).isEqualTo(version);
            assertThat(ElfExportsFixture.functions(host.directory().resolve("opt/aws/neuron/lib/libnrt.so." + version)))
                    .isEqualTo(ofTheFacts(release));
        }
    }

    @Test
    void matchTheReleaseOfTheDriverByDefault() throws Exception {
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().layout("driver-2.29").start()) {
            assertThat(host.runtime().version()).isEqualTo("2.33.10.0");
            assertThat(ElfExportsFixture.functions(host.directory().resolve("opt/aws/neuron/lib/libnrt.so.1")))
                    .isEqualTo(ofTheFacts(33))
                    .doesNotContain("nrt_get_status_as_str");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2.31", "3.31.24.0", "2.27.23.0", "2.x.1.0", "2.31.24.0/../x"})
    void invalidReleaseIsRefused(String version) {
        try (FakeNeuronHost host = FakeNeuronHost.builder().start()) {
            assertThatThrownBy(() -> host.runtime().release(version))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"" + version + "\"")
                    .hasMessageContaining("from 2.28.0.0 on");
        }
    }
}
