package dev.neurontest.internal.file;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.apiguardian.api.API;

/** Reasons of file errors in words. Most file exceptions have only the file name as message. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FileProblem {

    private FileProblem() {}

    /**
     * Returns the reason of a failure, as a clause to follow the name of the file and a colon.
     *
     * @return for example {@code there is no such file or folder}
     */
    public static String of(IOException failed) {
        if (failed instanceof NoSuchFileException) {
            return "there is no such file or folder";
        }
        if (failed instanceof AccessDeniedException) {
            return "access is denied for this user";
        }
        if (failed instanceof FileAlreadyExistsException) {
            return "there is a file where a folder should be";
        }
        if (failed instanceof CharacterCodingException) {
            return "it is not text in UTF-8";
        }
        if (failed instanceof UnfitFileException unfit) {
            return "it " + unfit.getReason();
        }
        String reason = failed instanceof FileSystemException file ? file.getReason() : failed.getMessage();
        return reason == null ? failed.toString() : reason;
    }
}
