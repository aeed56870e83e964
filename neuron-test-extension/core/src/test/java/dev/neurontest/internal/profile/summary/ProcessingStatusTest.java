package dev.neurontest.internal.profile.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessingStatusTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"status_code\": 0, \"profiles\": [{\"name\": \"a\", \"status\": \"success\"}]}",
                "{\"profiles\": []}",
                "{\"status_code\": 200}",
                "cut {\"profiles\": [",
                ""
            })
    void findsNoProblemWithoutReportedFailure(String written) throws IOException {
        // when
        Path file = Files.writeString(folder.resolve("status.json"), written);

        // then
        assertThat(ProcessingStatus.problem(file)).isEmpty();
        assertThat(ProcessingStatus.problem(folder.resolve("absent"))).isEmpty();
    }

    @Test
    void reportsStatusOfUnprocessedProfile() throws IOException {
        // when
        Path file = Files.writeString(
                folder.resolve("status.json"),
                "{\"profiles\": [{\"status\": \"success\"}, {\"status\": \"ERROR_PROCESS_INCOMPLETE\"}]}");

        // then
        assertThat(ProcessingStatus.problem(file)).contains("ERROR_PROCESS_INCOMPLETE");
    }
}
