package dev.neurontest.fake.internal.files;

import java.io.IOException;
import org.apiguardian.api.API;

/** The number of files that a process may have open. The system names the file that it did not open, which is not to blame. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OpenFileLimit {

    private static final String ADVICE =
            "this process has reached its limit of open files; raise it, such as by ulimit -n 4096, or close files that are left open";

    private OpenFileLimit() {}

    /**
     * Chooses the advice for a failure.
     *
     * @param failure what was thrown
     * @param otherwise the advice for any other failure
     * @return how to raise the limit, where the process had no file descriptor left
     */
    public static String advice(IOException failure, String otherwise) {
        return String.valueOf(failure.getMessage()).contains("Too many open files") ? ADVICE : otherwise;
    }
}
