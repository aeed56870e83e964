package dev.neurontest.internal.command.run;

import org.apiguardian.api.API;

/** What the command ends with. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ExitStatus {

    /** Nothing was wrong. */
    public static final int PASSED = 0;

    /** A test failed, a gate is closed, or a diagnosis found what keeps tests from running. */
    public static final int FAILED = 1;

    /** It could not run: bad options, no tests, a file that cannot be read. */
    public static final int COULD_NOT_RUN = 2;

    private ExitStatus() {}
}
