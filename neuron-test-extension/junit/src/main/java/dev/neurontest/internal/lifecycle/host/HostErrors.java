package dev.neurontest.internal.lifecycle.host;

import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.device.kernel.KernelLine;
import dev.neurontest.internal.device.kernel.KernelLog;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * The error counters and the kernel log of the whole host, at the beginning and at the end of what this JVM does on it: what
 * moves between tests, or on devices that no test has, is in no test's difference.
 *
 * @param counters of the host
 * @param kernelLog of the host
 * @param runFile tells of them
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HostErrors(CounterScopes counters, KernelLog kernelLog, RunFile runFile) {

    /** Reads and tells them. */
    public void told(RunEvent.Moment moment) {
        Map<String, String> logged = logged();
        try {
            CounterScope whole = counters.wholeHost();
            runFile.append(new RunEvent.HostErrors(
                    moment, CounterSnapshot.errorsOf(whole), counters.identities(whole), whole.unhealthy(), logged));
            whole.doubts().stream().findFirst().ifPresent(doubt -> notice(moment, doubt));
        } catch (RuntimeException unreadable) {
            // The report sees that none were read.
            runFile.append(new RunEvent.HostErrors(moment, Map.of(), Map.of(), Map.of(), logged));
            notice(moment, String.valueOf(unreadable.getMessage()));
        }
    }

    /** Returns the lines with the serial number of a device. */
    private Map<String, String> logged() {
        Map<String, String> lines = new LinkedHashMap<>();
        for (KernelLine line : kernelLog.read()) {
            kernelLog
                    .device(line)
                    .ifPresent(device -> lines.put(
                            "%s kernel log %s".formatted(device.name(), line.position()),
                            kernelLog.isAttributed(line) ? "" : line.shown()));
        }
        return lines;
    }

    private void notice(RunEvent.Moment moment, String reason) {
        runFile.append(new RunEvent.Noticed(
                null,
                "At the %s of the run the error counters of the host are not all known, so whether they moved is not either: %s"
                        .formatted(moment == RunEvent.Moment.START ? "start" : "end", reason)));
    }
}
