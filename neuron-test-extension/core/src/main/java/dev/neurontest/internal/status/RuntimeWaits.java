package dev.neurontest.internal.status;

import java.util.List;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Reader of lines in which the runtime reports that it waits for another rank, mostly because that one still compiles. They are no errors. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RuntimeWaits {

    private static final Pattern WAIT =
            Pattern.compile("Timeout waiting for (?:RX|incoming connection)|\\bConnect to \\S+ failed - retrying");

    private static final int LAST = 3;

    private RuntimeWaits() {}

    /** Returns whether one of the last lines of an output reports a wait. */
    public static boolean isLastIn(String output) {
        List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
        return lines.stream().skip(Math.max(0, lines.size() - LAST)).anyMatch(WAIT.asPredicate());
    }
}
