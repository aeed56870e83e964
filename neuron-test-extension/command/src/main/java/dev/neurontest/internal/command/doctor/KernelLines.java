package dev.neurontest.internal.command.doctor;

import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.device.kernel.KernelLine;
import dev.neurontest.internal.device.kernel.KernelLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The lines of the kernel log about the devices since the boot. */
final class KernelLines {

    private static final int SHOWN = 5;

    private KernelLines() {}

    static List<DoctorFinding> examine(NeuronHost host) {
        KernelLog log = KernelLog.of(host);
        List<KernelLine> lines = log.read();
        Optional<String> unreadable = log.unreadable();
        if (unreadable.isPresent()) {
            return List.of(DoctorFinding.of(
                    Code.UNREADABLE_KERNEL_LOG,
                    "not readable, tests run without it: " + unreadable.get(),
                    "Run as root, or set kernel.dmesg_restrict=0 (sysctl). Most containers have no access."));
        }
        if (lines.isEmpty()) {
            return List.of(DoctorFinding.ok("kernel log", "no line about a broken device since the boot"));
        }
        List<DoctorFinding> findings = new ArrayList<>();
        int more = Math.max(0, lines.size() - SHOWN);
        lines.stream().skip(more).forEach(line -> findings.add(finding(log, line)));
        if (more > 0) {
            findings.add(DoctorFinding.of(Code.LOGGED_ERROR, more + " earlier lines: sudo dmesg", ""));
        }
        return findings;
    }

    private static DoctorFinding finding(KernelLog log, KernelLine line) {
        Optional<NeuronDevice> device = log.device(line);
        return DoctorFinding.of(
                Code.LOGGED_ERROR,
                "%s: %s"
                        .formatted(
                                device.map(found -> "%s at %s".formatted(found.name(), line.time()))
                                        .orElseGet(() -> "unknown device at " + line.time()),
                                line.shown()),
                device.isPresent()
                        ? "The runtime reported broken hardware. Unless it was repaired since, stop and start the instance to get another machine."
                        : "The line has no serial number of a device of this host, and any process with write access can print it. Check the counters of the devices.");
    }
}
