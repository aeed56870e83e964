package dev.neurontest.fake.internal.files;

import java.io.IOException;
import org.apiguardian.api.API;

/** The limit of open files of a process. When it is reached, the error of the system names an unrelated file. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OpenFileLimit {

    private static final String ADVICE =
            "this process has reached its limit of open files; raise it, for example with ulimit -n 4096, or close files that are left open";

    private OpenFileLimit() {}

    /**
     * Returns the advice for a failure.
     *
     * @param failure the exception
     * @param otherwise the advice for any other failure
     * @return the advice to raise the limit, if the process had no free file descriptor
     */
    public static String advice(IOException failure, String otherwise) {
        return String.valueOf(failure.getMessage()).contains("Too many open files") ? ADVICE : otherwise;
    }
}
