package dev.neurontest.internal.lifecycle.host;

import dev.neurontest.internal.evidence.TestId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;

/** The processes that tests of this JVM left running with a device open, each with its test. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeftProcesses {

    private final Map<String, TestId> tests = new ConcurrentHashMap<>();

    /**
     * Adds the processes that are open when a test ends.
     *
     * @param before processes with an open device when the test began
     * @param open processes with an open device, such as {@code python3 (pid 12)}, by device number
     */
    public void add(TestId test, List<String> before, Map<Integer, List<String>> open) {
        for (List<String> processes : open.values()) {
            for (String process : processes) {
                if (before.stream().noneMatch(each -> isOf(process, each))) {
                    tests.putIfAbsent(process, test);
                }
            }
        }
    }

    private static boolean isOf(String process, String line) {
        return line.equals(process) || line.startsWith(process + " ");
    }

    /** Returns a process as named in a message of a test, with the other test that left it if it is known. */
    public String named(TestId reader, String line) {
        return tests.entrySet().stream()
                .filter(left -> isOf(left.getKey(), line) && !left.getValue().equals(reader))
                .findFirst()
                .map(left -> line + ", left by " + left.getValue().name())
                .orElse(line);
    }
}
