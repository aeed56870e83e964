package dev.neurontest.internal.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.host.NoAnswerException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReadFailureTest {

    private static final String FILE = "/data/EIO/neuron0/reset";

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new NoAnswerException(FILE, "no answer"), "timeout"),
                Arguments.of(new NoSuchFileException(FILE), "ENOENT"),
                Arguments.of(new AccessDeniedException(FILE), "EACCES"),
                Arguments.of(new FileSystemException(FILE, null, "Device or resource busy"), "EBUSY"),
                Arguments.of(new IOException("Input/output error"), "EIO"),
                Arguments.of(new IOException(FILE + ": No such device (ENODEV)"), "ENODEV"),
                Arguments.of(new IOException(FILE + ": something else"), "unknown"),
                Arguments.of(new IOException((String) null), "unknown"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void recognizesReasonAtEndOfMessage(IOException failure, String reason) {
        // then
        assertThat(ReadFailure.of(failure)).isEqualTo(reason);
    }
}
