package dev.neurontest.internal.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which test of an earlier run is which test of this one: by its id. Where a test ran in several modules or on several kinds of hosts, those that are the
 * same belong together. One that is left on either side moved; of several it cannot be told which became which.
 */
final class TestPairs {

    private final List<Pair> pairs = new ArrayList<>();

    /** One side may be missing, never both. */
    record Pair(Optional<ComparedTest> before, Optional<ComparedTest> now, boolean isOneOfSeveral) {

        ComparedTest any() {
            return now.or(() -> before).orElseThrow();
        }

        /** With the side that is missing as skipped, because all that it is in was. */
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
        List<ComparedTest> left = new ArrayList<>(before);
        List<ComparedTest> moved = new ArrayList<>();
        for (ComparedTest test : now) {
            Optional<ComparedTest> same = left.stream()
                    .filter(other -> other.stack().variant().equals(test.stack().variant()))
                    .findFirst();
            same.ifPresent(left::remove);
            if (same.isEmpty()) {
                moved.add(test);
            } else {
                pairs.add(new Pair(same, Optional.of(test), several));
            }
        }
        if (left.size() == 1 && moved.size() == 1) {
            pairs.add(new Pair(Optional.of(left.get(0)), Optional.of(moved.get(0)), several));
        } else {
            moved.forEach(test -> pairs.add(new Pair(Optional.empty(), Optional.of(test), several)));
            left.forEach(test -> pairs.add(new Pair(Optional.of(test), Optional.empty(), several)));
        }
    }

    /** The ids above a test that is not there itself, such as that of its class, the nearest first. */
    static Optional<String> above(String id, Set<String> ids) {
        for (int end = id.lastIndexOf("/["); end > 0; end = id.lastIndexOf("/[", end - 1)) {
            if (ids.contains(id.substring(0, end))) {
                return Optional.of(id.substring(0, end));
            }
        }
        return Optional.empty();
    }
}
