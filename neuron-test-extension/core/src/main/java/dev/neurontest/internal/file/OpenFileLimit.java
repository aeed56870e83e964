package dev.neurontest.internal.file;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Limit for the number of open files of a process. The system's message names the file that was not opened, although this file is not the
 * cause.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OpenFileLimit {

    private static final String ADVICE =
            "This process has reached its limit of open files (ulimit -n). Raise the limit, for example with ulimit -n 4096, or close files that tests have left open.";

    /**
     * Message of the C library for {@code EMFILE}. It depends on the language; {@code ProcessBuilder} adds the number of the error in every
     * language.
     */
    private static final String WORDS = "Too many open files";

    private static final String NUMBER = "error=24,";
    private static final int DEEPEST = 20;

    private OpenFileLimit() {}

    /**
     * Returns the advice for a failure.
     *
     * @param failure the thrown exception
     * @param otherwise the advice for any other failure
     * @return advice to raise the limit, when the process had no file descriptor left
     */
    public static String advice(Throwable failure, String otherwise) {
        return isReached(failure) ? ADVICE : otherwise;
    }

    /** Checks whether a failure or one of its causes is this limit. */
    public static boolean isReached(Throwable failure) {
        @Nullable Throwable next = failure;
        for (int depth = 0; next != null && depth < DEEPEST; depth++) {
            String message = String.valueOf(next.getMessage());
            if (message.contains(WORDS) || message.contains(NUMBER)) {
                return true;
            }
            next = next.getCause();
        }
        return false;
    }
}
