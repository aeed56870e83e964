package dev.neurontest.fake.internal.help;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.apiguardian.api.API;

/** The reason of a failure in words, without names of Java classes, because programs in other languages show it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Reason {

    private Reason() {}

    /**
     * Returns the reason of a failure.
     *
     * @param failed any exception or error
     * @return its message; the message of a file system exception is often the file alone, and then gets the reason in words
     */
    public static String of(Throwable failed) {
        Throwable cause = failed.getCause();
        if (failed instanceof UncheckedIOException && cause.toString().equals(failed.getMessage())) {
            return of(cause);
        }
        String message = failed.getMessage();
        if (message == null || message.isBlank()) {
            return "no reason is known";
        }
        if (failed instanceof FileSystemException file && file.getReason() == null) {
            return message + ": " + words(file);
        }
        return message;
    }

    private static String words(FileSystemException failed) {
        if (failed instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (failed instanceof AccessDeniedException) {
            return "access is denied";
        }
        return failed instanceof FileAlreadyExistsException ? "the file exists already" : "the access failed";
    }
}
