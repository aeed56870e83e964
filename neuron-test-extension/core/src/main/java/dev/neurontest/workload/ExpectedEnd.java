package dev.neurontest.workload;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The ends of a workload that do not fail its test.
 *
 * @param exitCodes allowed exit codes of a program that ends on its own
 * @param anyExit true if this program may end with any code
 * @param mayBeEnded true if the program may run until the end of its test or class
 */
record ExpectedEnd(SortedSet<Integer> exitCodes, boolean anyExit, boolean mayBeEnded) {

    static final ExpectedEnd SUCCESS = new ExpectedEnd(new TreeSet<>(List.of(0)), false, false);

    ExpectedEnd exiting(int code, int... others) {
        SortedSet<Integer> codes = new TreeSet<>(List.of(code));
        for (int other : others) {
            codes.add(other);
        }
        for (int each : codes) {
            if (each < 0 || each > 255) {
                throw new IllegalArgumentException("An exit code is a number from 0 to 255, not %s.".formatted(each));
            }
        }
        return new ExpectedEnd(codes, anyExit, mayBeEnded);
    }

    ExpectedEnd exitingAnyhow() {
        return new ExpectedEnd(exitCodes, true, mayBeEnded);
    }

    ExpectedEnd endedByTest() {
        return new ExpectedEnd(exitCodes, anyExit, true);
    }

    /**
     * Returns the violated expectation of an end, if any. A program that was stopped may end with any code.
     *
     * @param endedWithTest true if the end of the test stopped the program; false if the test itself stopped it
     */
    Optional<String> unmet(ChildEnd.Cause cause, Optional<ExitCode> exitCode, boolean endedWithTest) {
        return switch (cause) {
            case EXITED ->
                anyExit
                                || exitCode.map(ExitCode::value)
                                        .filter(exitCodes::contains)
                                        .isPresent()
                        ? Optional.empty()
                        : Optional.of(codes());
            case TIMED_OUT -> Optional.of("an end before its deadline");
            case INTERRUPTED -> Optional.of("an end without an interruption");
            case STOPPED ->
                endedWithTest && !mayBeEnded ? Optional.of("an end before that of its test") : Optional.empty();
        };
    }

    private String codes() {
        return exitCodes.stream().map(Object::toString).collect(Collectors.joining(" or ", "exit code ", ""));
    }
}
