package dev.neurontest.internal.cluster.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallFailureTest {

    private static final String CLEARS_SCREEN = "\033[2J";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NoSuchFileException",
                "AccessDeniedException",
                "NotDirectoryException",
                "NoAnswerException",
                "LeaseTimeoutException",
                "ImpossibleRequestException",
                "CoresQuarantinedException",
                "LeaseTableException",
                "InterruptedException",
                "FileSystemException",
                "IOException",
                "IllegalStateException"
            })
    void textOfAnotherHostHasNoControlCharacters(String type) {
        Optional<String> file =
                type.startsWith("File") || type.endsWith("FileException") || type.endsWith("DirectoryException")
                        ? Optional.of("sys/" + CLEARS_SCREEN)
                        : Optional.empty();

        Exception failure =
                new CallFailure(type, "it broke" + CLEARS_SCREEN, file, Optional.of(Duration.ZERO)).on("n1");

        assertThat(failure).hasMessageContaining("n1").message().doesNotContain("\033");
    }
}
