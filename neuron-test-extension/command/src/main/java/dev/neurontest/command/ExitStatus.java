package dev.neurontest.command;

/** What the command ends with. */
final class ExitStatus {

    /** Nothing was wrong. */
    static final int PASSED = 0;

    /** A test failed, a gate is closed, or a diagnosis found what keeps tests from running. */
    static final int FAILED = 1;

    /** It could not be found out: bad options, no tests, a file that cannot be read. */
    static final int COULD_NOT_RUN = 2;

    private ExitStatus() {}
}
