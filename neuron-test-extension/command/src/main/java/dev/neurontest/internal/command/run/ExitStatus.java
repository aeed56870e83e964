package dev.neurontest.internal.command.run;

import org.apiguardian.api.API;

/** The exit codes of the command. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ExitStatus {

    /** Exit code without a problem. */
    public static final int PASSED = 0;

    /** Exit code if a test failed, a gate is closed, or a diagnosis found a problem that prevents tests. */
    public static final int FAILED = 1;

    /** Exit code if the command could not run: bad options, no tests, or an unreadable file. */
    public static final int COULD_NOT_RUN = 2;

    private ExitStatus() {}
}
