package dev.neurontest.internal.process.orphan;

import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.Redaction;
import dev.neurontest.internal.text.VisibleText;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A process that outlived the JVM with which it was to end.
 *
 * @param pid its number
 * @param command in one line, secrets masked
 * @param test what it ran for; empty when that is not known
 * @param jvm the number of the dead JVM
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Orphan(long pid, String command, String test, long jvm) {

    /** What tells monitoring the name of the test. */
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

    /** Such as {@code pid 12 (sleep 600) of FooTest.bar(), whose JVM 11 is dead}. */
    @Override
    public String toString() {
        return "pid %s (%s) of %s, whose JVM %s is dead"
                .formatted(pid, command, test.isEmpty() ? "an unnamed test" : test, jvm);
    }
}
