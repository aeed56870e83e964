package dev.neurontest.report.merge;

import dev.neurontest.evidence.RunEvent;
import dev.neurontest.report.ReportedQuarantine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes one quarantine of what every JVM that shares the table of leases says about it. */
final class QuarantineMerge {

    private final Map<Key, ReportedQuarantine> open = new LinkedHashMap<>();
    private final List<ReportedQuarantine> ended = new ArrayList<>();

    private record Key(String host, String core, String reason) {}

    private record HostLine(RunMerge.Part part, JvmReading.Timed line) {}

    private QuarantineMerge() {}

    static List<ReportedQuarantine> of(List<RunMerge.Part> parts) {
        QuarantineMerge all = new QuarantineMerge();
        parts.stream()
                .flatMap(part -> part.reading().cores().stream().map(line -> new HostLine(part, line)))
                .sorted(Comparator.comparing(reported -> reported.line().time()))
                .forEach(all::take);
        List<ReportedQuarantine> quarantines = new ArrayList<>(all.open.values());
        quarantines.addAll(all.ended);
        quarantines.sort(Comparator.comparing(ReportedQuarantine::at));
        return quarantines;
    }

    private void take(HostLine reported) {
        String host = reported.part().jvm().host();
        if (reported.line().event() instanceof RunEvent.Quarantined begun) {
            for (String core : begun.cores()) {
                open.putIfAbsent(
                        new Key(reported.part().host(), core, begun.reason()),
                        new ReportedQuarantine(
                                host,
                                core,
                                begun.test(),
                                begun.reason(),
                                begun.suspect(),
                                reported.line().time(),
                                Optional.empty()));
            }
        } else if (reported.line().event() instanceof RunEvent.QuarantineEnded end) {
            ReportedQuarantine over = open.remove(new Key(reported.part().host(), end.core(), end.reason()));
            if (over != null) {
                ended.add(new ReportedQuarantine(
                        over.host(),
                        over.core(),
                        over.test(),
                        over.reason(),
                        over.suspect(),
                        over.at(),
                        Optional.of(end.how())));
            }
        }
    }
}
