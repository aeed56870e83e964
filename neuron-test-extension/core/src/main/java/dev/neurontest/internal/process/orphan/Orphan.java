package dev.neurontest.internal.process.orphan;

import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.text.VisibleText;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A process that outlived its JVM, although it should have ended with the JVM.
 *
 * @param pid its number
 * @param command the command in a single line, with masked secrets
 * @param test the test of the process; empty if unknown
 * @param jvm the number of the dead JVM
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Orphan(long pid, String command, String test, long jvm) {

    /** The variable with the name of the test, which monitoring tools read. */
    private static final String TAG = "NEURON_PROCESS_TAG";

    private static final int LONGEST = 200;

    static Orphan of(long pid, List<String> command, Map<String, String> environment, ProcessIdentity jvm) {
        return new Orphan(
                pid,
                shown(String.join(" ", Redaction.mask(command))),
                shown(Redaction.mask(environment.getOrDefault(TAG, ""))),
                jvm.pid());
    }

    private static String shown(String text) {
        String line = VisibleText.line(text);
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }

    /** Returns a description such as {@code pid 12 (sleep 600) of FooTest.bar(), started by the dead JVM 11}. */
    @Override
    public String toString() {
        return "pid %s (%s) of %s, started by the dead JVM %s"
                .formatted(pid, command, test.isEmpty() ? "an unnamed test" : test, jvm);
    }
}
