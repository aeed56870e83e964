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
final class Quarantining {

    private final Map<Key, ReportedQuarantine> open = new LinkedHashMap<>();
    private final List<ReportedQuarantine> ended = new ArrayList<>();

    private record Key(String host, String core) {}

    private record Told(Merging.Part part, JvmReading.Timed line) {}

    private Quarantining() {}

    static List<ReportedQuarantine> of(List<Merging.Part> parts) {
        Quarantining all = new Quarantining();
        parts.stream()
                .flatMap(part -> part.reading().cores().stream().map(line -> new Told(part, line)))
                .sorted(Comparator.comparing(told -> told.line().time()))
                .forEach(all::take);
        List<ReportedQuarantine> quarantines = new ArrayList<>(all.open.values());
        quarantines.addAll(all.ended);
        quarantines.sort(Comparator.comparing(ReportedQuarantine::at));
        return quarantines;
    }

    private void take(Told told) {
        String host = told.part().jvm().host();
        if (told.line().event() instanceof RunEvent.Quarantined begun) {
            for (String core : begun.cores()) {
                open.putIfAbsent(
                        new Key(told.part().host(), core),
                        new ReportedQuarantine(
                                host,
                                core,
                                begun.test(),
                                begun.reason(),
                                told.line().time(),
                                Optional.empty()));
            }
        } else if (told.line().event() instanceof RunEvent.QuarantineEnded end) {
            ReportedQuarantine over = open.remove(new Key(told.part().host(), end.core()));
            if (over != null) {
                ended.add(new ReportedQuarantine(
                        over.host(), over.core(), over.test(), over.reason(), over.at(), Optional.of(end.how())));
            }
        }
    }
}
