package dev.neurontest.internal.cluster.agent;

import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.internal.host.NoAnswerException;
import dev.neurontest.internal.lease.CoresQuarantinedException;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.text.VisibleText;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An exception of a call, to be thrown again in the test JVM.
 *
 * @param type the simple name of its class
 * @param message its message
 * @param file the file of the exception
 * @param waited the time spent waiting for cores
 */
record CallFailure(String type, String message, Optional<String> file, Optional<Duration> waited) {

    static CallFailure of(Throwable thrown) {
        return new CallFailure(
                thrown.getClass().getSimpleName(),
                message(thrown),
                Optional.of(thrown)
                        .filter(FileSystemException.class::isInstance)
                        .map(file -> ((FileSystemException) file).getFile()),
                Optional.of(thrown)
                        .filter(LeaseTimeoutException.class::isInstance)
                        .map(late -> ((LeaseTimeoutException) late).waited()));
    }

    private static String message(Throwable thrown) {
        if (thrown instanceof FileSystemException file) {
            return Objects.requireNonNullElse(file.getReason(), "");
        }
        if (thrown instanceof NoAnswerException silent) {
            return silent.reason();
        }
        boolean ours = thrown.getClass().getName().startsWith("dev.neurontest.");
        return ours ? String.valueOf(thrown.getMessage()) : thrown.toString();
    }

    /**
     * Creates the exception for the test JVM, with the name of the host in its message.
     *
     * @param host the name of the host
     */
    Exception on(String host) {
        String place = VisibleText.of(host + ": " + message);
        String path = VisibleText.of(host + ":" + file.orElse(""));
        return switch (type) {
            case "NoSuchFileException" -> new NoSuchFileException(path);
            case "AccessDeniedException" -> new AccessDeniedException(path);
            case "NotDirectoryException" -> new NotDirectoryException(path);
            case "NoAnswerException" -> new NoAnswerException(host, VisibleText.of(message));
            case "LeaseTimeoutException" -> new LeaseTimeoutException(place, waited.orElse(Duration.ZERO));
            case "ImpossibleRequestException" -> new ImpossibleRequestException(place);
            case "CoresQuarantinedException" -> new CoresQuarantinedException(place, List.of());
            case "LeaseTableException" -> new LeaseTableException(place);
            case "InterruptedException" -> new InterruptedException(place);
            default ->
                file.isPresent()
                        ? new FileSystemException(path, null, VisibleText.of(message))
                        : type.endsWith("IOException") ? new IOException(place) : new AgentException(place);
        };
    }
}
