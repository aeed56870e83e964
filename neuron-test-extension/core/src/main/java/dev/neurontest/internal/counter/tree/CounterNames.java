package dev.neurontest.internal.counter.tree;

import dev.neurontest.counter.CounterNameException;
import dev.neurontest.internal.text.NearestName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The accepted names of the counters of a scope: their paths, the last parts of the paths, and names of other drivers. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CounterNames {

    /** Last part of a path in documentation or very old drivers, and the name in drivers since 2.8. */
    private static final Map<String, String> ALIASES = Map.of(
            "infer_completed_with_error", "execute_completed_with_error",
            "infer_completed_with_num_error", "execute_completed_with_num_error",
            "infer_failed_to_queue", "execute_failed_to_queue",
            "reset_count", "reset_req_count");

    private static final int SUGGESTIONS = 3;

    /** Returns the path in drivers since 2.8 for a path of any driver or documentation. */
    public static String canonical(String path) {
        int last = path.lastIndexOf('/') + 1;
        return path.substring(0, last) + ALIASES.getOrDefault(path.substring(last), path.substring(last));
    }

    private final List<String> paths;
    private final String where;
    private final Map<String, String> resolved = new ConcurrentHashMap<>();

    CounterNames(Collection<String> paths, String where) {
        this.paths = List.copyOf(paths);
        this.where = where;
    }

    /**
     * Resolves a name to the path of a counter below {@code stats}.
     *
     * @throws CounterNameException when there is no such counter, or the name is ambiguous
     */
    String resolve(String name) {
        return resolved.computeIfAbsent(name, this::find);
    }

    private String find(String name) {
        String plain = withoutStats(name);
        if (plain.endsWith("/present")) {
            throw CounterNameException.notDifferent(
                    name, "present", "present is the size of the last change. Use the counter's total.");
        }
        if (plain.endsWith("/peak")) {
            throw CounterNameException.notDifferent(
                    name, "peak", "a peak is only known when it rose or was cleared. Use the rule for peaks.");
        }
        String path = plain.endsWith("/total") ? plain.substring(0, plain.length() - "/total".length()) : plain;
        List<String> candidates = named(path);
        if (candidates.isEmpty()) {
            candidates =
                    otherNames(path).flatMap(alias -> named(alias).stream()).toList();
        }
        return switch (candidates.size()) {
            case 0 -> throw CounterNameException.unknown(name, nearest(path), paths.size(), where);
            case 1 -> candidates.get(0);
            default -> throw CounterNameException.ambiguous(name, candidates);
        };
    }

    private List<String> named(String name) {
        if (paths.contains(name)) {
            return List.of(name);
        }
        return paths.stream().filter(path -> path.endsWith("/" + name)).toList();
    }

    private static Stream<String> otherNames(String name) {
        String parent = name.substring(0, name.lastIndexOf('/') + 1);
        String last = name.substring(parent.length());
        return ALIASES.entrySet().stream()
                .flatMap(alias -> alias.getKey().equals(last)
                        ? Stream.of(alias.getValue())
                        : alias.getValue().equals(last) ? Stream.of(alias.getKey()) : Stream.empty())
                .map(parent::concat);
    }

    /** Returns whether two names are of the same counter on each host where neither is ambiguous. */
    public static boolean isSame(String some, String other) {
        String first = canonical(withoutStats(some).replaceFirst("/total$", ""));
        String second = canonical(withoutStats(other).replaceFirst("/total$", ""));
        return first.equals(second) || first.endsWith("/" + second) || second.endsWith("/" + first);
    }

    private static String withoutStats(String name) {
        int stats = name.lastIndexOf("stats/");
        return stats == 0 || stats > 0 && name.charAt(stats - 1) == '/'
                ? name.substring(stats + "stats/".length())
                : name;
    }

    private List<String> nearest(String name) {
        record Near(String path, int distance) {}
        List<Near> near = new ArrayList<>();
        for (String path : paths) {
            int closest = NearestName.edits(name, path);
            for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
                closest = Math.min(closest, NearestName.edits(name, path.substring(slash + 1)));
            }
            near.add(new Near(path, closest));
        }
        return near.stream()
                .sorted(Comparator.comparingInt(Near::distance))
                .limit(SUGGESTIONS)
                .map(Near::path)
                .toList();
    }
}
