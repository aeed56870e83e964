package dev.neurontest.internal.evidence;

import java.util.Comparator;
import java.util.Map;
import org.apiguardian.api.API;

/** What all threads of this JVM were doing. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ThreadDump {

    private ThreadDump() {}

    /**
     * Takes it now.
     *
     * @param first the thread that the reader looks for
     * @return one paragraph for each thread, this one first
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
