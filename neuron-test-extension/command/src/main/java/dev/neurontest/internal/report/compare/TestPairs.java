package dev.neurontest.internal.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Pairs of the same test in an earlier run and in this run, by id. For a test in several modules or on several kinds of hosts, executions
 * of the same variant are paired. If one execution remains on each side, the test has moved. If several remain, they cannot be assigned.
 */
final class TestPairs {

    private final List<Pair> pairs = new ArrayList<>();

    /** A pair of the same test; at most one side is missing. */
    record Pair(Optional<ComparedTest> before, Optional<ComparedTest> now, boolean isOneOfSeveral) {

        ComparedTest any() {
            return now.or(() -> before).orElseThrow();
        }

        /** Returns a copy with the missing side as skipped, because its container was skipped. */
        Pair withSkipped() {
            Optional<ComparedTest> skipped = Optional.of(any().skipped());
            return new Pair(before.isEmpty() ? skipped : before, now.isEmpty() ? skipped : now, isOneOfSeveral);
        }
    }

    private TestPairs() {}

    static List<Pair> of(List<ComparedTest> before, List<ComparedTest> now) {
        TestPairs all = new TestPairs();
        Map<String, List<ComparedTest>> earlier = byId(before);
        byId(now).forEach((id, tests) -> {
            List<ComparedTest> others = earlier.remove(id);
            all.pair(others == null ? List.of() : others, tests);
        });
        earlier.values().forEach(gone -> all.pair(gone, List.of()));
        return all.pairs;
    }

    private static Map<String, List<ComparedTest>> byId(List<ComparedTest> tests) {
        return tests.stream()
                .collect(Collectors.groupingBy(test -> test.id().id(), LinkedHashMap::new, Collectors.toList()));
    }

    private void pair(List<ComparedTest> before, List<ComparedTest> now) {
        boolean several = before.size() > 1 || now.size() > 1;
        List<ComparedTest> unpaired = new ArrayList<>(before);
        List<ComparedTest> moved = new ArrayList<>();
        for (ComparedTest test : now) {
            Optional<ComparedTest> same = unpaired.stream()
                    .filter(other -> other.stack().variant().equals(test.stack().variant()))
                    .findFirst();
            same.ifPresent(unpaired::remove);
            if (same.isEmpty()) {
                moved.add(test);
            } else {
                pairs.add(new Pair(same, Optional.of(test), several));
            }
        }
        if (unpaired.size() == 1 && moved.size() == 1) {
            pairs.add(new Pair(Optional.of(unpaired.get(0)), Optional.of(moved.get(0)), several));
        } else {
            moved.forEach(test -> pairs.add(new Pair(Optional.empty(), Optional.of(test), several)));
            unpaired.forEach(test -> pairs.add(new Pair(Optional.of(test), Optional.empty(), several)));
        }
    }

    /** Returns the nearest id in the set that contains the given one, such as that of its class. The test itself does not count. */
    static Optional<String> above(String id, Set<String> ids) {
        for (int end = id.lastIndexOf("/["); end > 0; end = id.lastIndexOf("/[", end - 1)) {
            if (ids.contains(id.substring(0, end))) {
                return Optional.of(id.substring(0, end));
            }
        }
        return Optional.empty();
    }
}
