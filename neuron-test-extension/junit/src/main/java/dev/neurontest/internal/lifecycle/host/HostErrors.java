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
 * The error counters and the kernel log of the whole host, at the start and at the end of this JVM's run. Changes between tests, or on
 * devices without a test, are in no test's difference.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HostErrors(CounterScopes counters, KernelLog kernelLog, RunFile runFile) {

    /** Reads and records the errors. */
    public void record(RunEvent.Moment moment) {
        Map<String, String> logged = logged();
        try {
            CounterScope whole = counters.wholeHost();
            runFile.append(new RunEvent.HostErrors(
                    moment, CounterSnapshot.errorsOf(whole), counters.identities(whole), whole.unhealthy(), logged));
            whole.doubts().stream().findFirst().ifPresent(doubt -> notice(moment, doubt));
        } catch (RuntimeException unreadable) {
            // The report detects that no counters were read.
            runFile.append(new RunEvent.HostErrors(moment, Map.of(), Map.of(), Map.of(), logged));
            notice(moment, String.valueOf(unreadable.getMessage()));
        }
    }

    /** Returns the kernel log lines with the serial number of a device, by device name and position. */
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
                "At the %s of the run, some error counters of the host are unknown, so errors may be missed: %s"
                        .formatted(moment == RunEvent.Moment.START ? "start" : "end", reason)));
    }
}
