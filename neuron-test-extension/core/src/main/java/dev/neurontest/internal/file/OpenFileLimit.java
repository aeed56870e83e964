package dev.neurontest.internal.file;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The number of files that a process may have open. The system names the file that it did not open, which is not to blame. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OpenFileLimit {

    private static final String ADVICE =
            "This process has reached its limit of open files (ulimit -n). Raise the limit, such as by ulimit -n 4096, or close files that tests have left open.";

    /** {@code EMFILE} in words of the C library, and as {@code ProcessBuilder} has it in every language. */
    private static final String WORDS = "Too many open files";

    private static final String NUMBER = "error=24,";
    private static final int DEEPEST = 20;

    private OpenFileLimit() {}

    /**
     * Chooses the advice for a failure.
     *
     * @param failure what was thrown
     * @param otherwise the advice for any other failure
     * @return how to raise the limit, where the process had no file descriptor left
     */
    public static String advice(Throwable failure, String otherwise) {
        return isReached(failure) ? ADVICE : otherwise;
    }

    /**
     * Checks whether a failure or one of its causes is this limit.
     *
     * @param failure what was thrown
     * @return true when the process had no file descriptor left
     */
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
