package dev.neurontest.report;

import static dev.neurontest.recording.Markup.escape;

import dev.neurontest.evidence.RunEvent;
import dev.neurontest.text.CountText;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** JVMs with their hosts and versions, and the error counters of the hosts. */
final class PageRun {

    private PageRun() {}

    static String hostErrors(RunReport report) {
        PageTable table = PageTable.cards("", "Host", "Counter", ">Start", ">End", ">Seen by tests", ">Unexplained");
        for (HostError error : report.hostErrors()) {
            table.markup(
                    error.unexplained() > 0 ? "bad" : "",
                    escape(error.host()),
                    escape(error.counter()),
                    Long.toUnsignedString(error.before()),
                    Long.toUnsignedString(error.after()),
                    String.valueOf(error.explained()),
                    String.valueOf(error.unexplained()));
        }
        return table.html();
    }

    static String jvms(RunReport report) {
        PageTable table = PageTable.cards("", "JVM", "Host", "Driver", "Versions", "Java and system", "Ran");
        for (ReportedJvm jvm : report.jvms()) {
            table.markup(
                    jvm.finished() ? "" : "bad",
                    escape(jvm.start()
                            .map(start -> "%d in %s".formatted(start.pid(), start.directory()))
                            .orElse(String.valueOf(jvm.file().getFileName()))),
                    escape(jvm.platform().map(PageRun::host).orElse(jvm.host())),
                    escape(jvm.platform()
                            .map(RunEvent.PlatformChosen::driverVersion)
                            .orElse("")),
                    escape(new TreeMap<>(jvm.versions())
                            .entrySet().stream()
                                    .map(each -> each.getKey() + " " + each.getValue())
                                    .collect(Collectors.joining(", "))),
                    escape(jvm.start()
                            .map(start ->
                                    "Java %s, %s, Neuron Test %s".formatted(start.java(), start.os(), start.module()))
                            .orElse("")),
                    "%s to %s%s"
                            .formatted(
                                    PageText.clock(jvm.started()),
                                    PageText.clock(jvm.ended()),
                                    jvm.finished() ? "" : ", <b class=\"bad\">did not end</b>"));
        }
        return table.html();
    }

    private static String host(RunEvent.PlatformChosen host) {
        return "%s, %s, %s, %s, LNC %d; %s %s"
                .formatted(
                        host.kind(),
                        host.host(),
                        CountText.of(host.devices(), "device"),
                        CountText.of(host.cores(), "core"),
                        host.lnc(),
                        host.choice(),
                        host.origin());
    }
}
