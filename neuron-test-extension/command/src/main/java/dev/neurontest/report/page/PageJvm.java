package dev.neurontest.report.page;

import dev.neurontest.evidence.RunEvent;
import dev.neurontest.report.ReportedJvm;
import dev.neurontest.text.CountText;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A JVM with its host and versions. */
record PageJvm(ReportedJvm jvm) {

    String name() {
        return jvm.start()
                .map(start -> "%s in %s".formatted(start.pid(), start.directory()))
                .orElse(String.valueOf(jvm.file().getFileName()));
    }

    String host() {
        return jvm.platform().map(PageJvm::host).orElse(jvm.host());
    }

    private static String host(RunEvent.PlatformChosen host) {
        return "%s, %s, %s, %s, LNC %s; %s %s"
                .formatted(
                        host.kind(),
                        host.host(),
                        CountText.of(host.devices(), "device"),
                        CountText.of(host.cores(), "core"),
                        host.lnc(),
                        host.choice(),
                        host.origin());
    }

    Optional<String> driver() {
        return jvm.platform().map(RunEvent.PlatformChosen::driverVersion);
    }

    String versions() {
        return new TreeMap<>(jvm.versions())
                .entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .collect(Collectors.joining(", "));
    }

    Optional<String> system() {
        return jvm.start()
                .map(start -> "Java %s, %s, Neuron Test %s".formatted(start.java(), start.os(), start.module()));
    }
}
