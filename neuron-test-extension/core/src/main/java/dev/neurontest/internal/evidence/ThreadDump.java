package dev.neurontest.internal.evidence;

import java.util.Comparator;
import java.util.Map;
import org.apiguardian.api.API;

/** A dump of the stack traces of all threads of this JVM. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ThreadDump {

    private ThreadDump() {}

    /**
     * Returns the dump of the current state.
     *
     * @param first the thread that is most interesting for the reader
     * @return a paragraph for each thread, beginning with this thread
     */
    public static String startingWith(Thread first) {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces().entrySet().stream()
                .sorted(Comparator.<Map.Entry<Thread, StackTraceElement[]>, Boolean>comparing(
                                each -> each.getKey() != first)
                        .thenComparing(each -> each.getKey().getName()))
                .forEach(each -> {
                    Thread thread = each.getKey();
                    text.append("\"%s\" %s%s\n"
                            .formatted(thread.getName(), thread.getState(), thread.isDaemon() ? " daemon" : ""));
                    for (StackTraceElement frame : each.getValue()) {
                        text.append("    at ").append(frame).append('\n');
                    }
                    text.append('\n');
                });
        return text.toString();
    }
}
