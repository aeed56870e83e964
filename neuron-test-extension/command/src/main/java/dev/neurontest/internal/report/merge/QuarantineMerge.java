package dev.neurontest.internal.report.merge;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.report.ReportedCore;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.text.ReasonText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Merge of the events about a quarantine. All JVMs that share the lease table write such events. */
final class QuarantineMerge {

    private final Map<Key, ReportedQuarantine> open = new LinkedHashMap<>();
    private final List<Map.Entry<Key, ReportedQuarantine>> ended = new ArrayList<>();

    private record Key(String host, String core, String reason) {}

    private record HostLine(RunMerge.Part part, JvmReading.Timed line) {

        ReportedCore core(String name) {
            return ReportedCore.of(part.jvm().host(), name);
        }

        /** Returns the key of a quarantine. A real host has the same name in each JVM; a fake host belongs to one JVM. */
        Key key(ReportedCore core, String reason) {
            String of = part.jvm().isReal(core.host()) ? "" : part.host(core.host()) + ' ';
            return new Key(of + core.host(), core.name(), reason);
        }
    }

    private QuarantineMerge() {}

    static List<ReportedQuarantine> of(List<RunMerge.Part> parts) {
        QuarantineMerge all = new QuarantineMerge();
        parts.stream()
                .flatMap(part -> part.reading().events().stream().map(line -> new HostLine(part, line)))
                .sorted(Comparator.comparing(reported -> reported.line().time()))
                .forEach(all::take);
        List<Map.Entry<Key, ReportedQuarantine>> quarantines = Stream.concat(
                        all.open.entrySet().stream(), all.ended.stream())
                .sorted(Comparator.comparing(each -> each.getValue().at()))
                .toList();
        return quarantines.stream()
                .filter(each -> quarantines.stream().noneMatch(other -> goesOn(each, other)))
                .collect(Collectors.groupingBy(
                        each -> List.of(
                                each.getKey().host(),
                                each.getValue().core(),
                                each.getValue().test(),
                                each.getValue().suspect(),
                                each.getValue().ended()),
                        LinkedHashMap::new,
                        Collectors.mapping(Map.Entry::getValue, Collectors.toList())))
                .values()
                .stream()
                .map(QuarantineMerge::together)
                .toList();
    }

    /** Checks whether a quarantine continues under another reason, which contains the end of the first one. */
    private static boolean goesOn(Map.Entry<Key, ReportedQuarantine> first, Map.Entry<Key, ReportedQuarantine> other) {
        return first.getKey().host().equals(other.getKey().host())
                && first.getKey().core().equals(other.getKey().core())
                && first.getValue().test().equals(other.getValue().test())
                && first.getValue()
                        .ended()
                        .filter(how -> other.getValue().reason().contains("; " + how))
                        .isPresent();
    }

    /** Merges quarantines with the same end into one, with all reasons followed by advice. */
    private static ReportedQuarantine together(List<ReportedQuarantine> same) {
        ReportedQuarantine first = same.get(0);
        return first.with(
                ReasonText.of(same.stream().map(ReportedQuarantine::reason).toList()), first.ended());
    }

    private void take(HostLine reported) {
        if (reported.line().event() instanceof RunEvent.Quarantined begun) {
            for (String name : begun.cores()) {
                ReportedCore core = reported.core(name);
                open.putIfAbsent(
                        reported.key(core, begun.reason()),
                        new ReportedQuarantine(
                                core.host(),
                                core.name(),
                                begun.test(),
                                begun.reason(),
                                begun.suspect(),
                                reported.line().time(),
                                Optional.empty()));
            }
        } else if (reported.line().event() instanceof RunEvent.QuarantineEnded end) {
            Key key = reported.key(reported.core(end.core()), end.reason());
            ReportedQuarantine over = open.remove(key);
            if (over != null) {
                ended.add(Map.entry(key, over.with(over.reason(), Optional.of(end.how()))));
            }
        }
    }
}
