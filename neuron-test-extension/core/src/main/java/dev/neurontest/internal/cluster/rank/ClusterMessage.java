package dev.neurontest.internal.cluster.rank;

import dev.neurontest.cluster.ClusterResult;
import dev.neurontest.cluster.RankResult;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.text.RangeText;
import dev.neurontest.internal.text.RankText;
import dev.neurontest.internal.workload.WorkloadMessage;
import dev.neurontest.workload.ExitCode;
import dev.neurontest.workload.WorkloadResult;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The message of a test that fails because of a workload on several hosts: the rank that explains the failure, and a line for each kind of
 * end of the others.
 */
@API(status = API.Status.INTERNAL)
public final class ClusterMessage {

    private static final int MOST_LINES = 12;
    private static final int MOST_HOSTS = 3;
    private static final int LONGEST_LINE = 160;
    private static final String PORT_TAKEN = "Address already in use";

    private final ClusterResult result;

    public ClusterMessage(ClusterResult result) {
        this.result = result;
    }

    /** Returns the end of a workload in one line. */
    public static String headline(ClusterResult result) {
        ClusterMessage message = new ClusterMessage(result);
        return result.first().isEmpty()
                ? "Workload %s: %s on %s ended as expected after %s"
                        .formatted(
                                result.name(),
                                CountText.of(result.ranks().size(), "rank"),
                                message.hosts(),
                                DurationText.of(result.duration()))
                : message.failure(message.first());
    }

    private RankResult first() {
        return result.rank(result.first().orElseThrow());
    }

    private String hosts() {
        return CountText.of(
                result.ranks().stream().map(RankResult::host).distinct().count(), "host");
    }

    private String failure(RankResult first) {
        String rank = "rank %s of %s".formatted(first.rank(), result.ranks().size());
        String place = "on %s (local rank %s)".formatted(first.host(), first.localRank());
        String name = "Workload " + result.name();
        return switch (result.unmet().orElse("")) {
            case FirstEnd.ANSWER -> "%s lost a host: %s with %s".formatted(name, first.host(), rank);
            case FirstEnd.DEADLINE ->
                "%s reached its deadline on %s: %s".formatted(name, hosts(), late(first, rank + " " + place));
            case FirstEnd.EXIT -> "%s failed on %s: %s failed first, %s".formatted(name, hosts(), rank, place);
            default ->
                "%s on %s should have had %s"
                        .formatted(name, hosts(), result.unmet().orElse(""));
        };
    }

    private String late(RankResult first, String named) {
        List<Integer> waiting = ranks(RankEnd::isWaiting);
        if (waiting.isEmpty()) {
            return "%s still running, and no line shows for which one the others wait"
                    .formatted(CountText.of(ranks(RankEnd::timedOut).size(), "rank"));
        }
        return waiting.contains(first.rank())
                ? "all ranks that still ran waited for another one (%s)".formatted(RangeText.of(waiting))
                : "%s was late, and %s waited (%s)"
                        .formatted(named, CountText.of(waiting.size(), "rank"), RangeText.of(waiting));
    }

    private List<Integer> ranks(Predicate<RankEnd> filter) {
        return result.ranks().stream()
                .filter(rank -> filter.test(new RankEnd(rank, 0)))
                .map(RankResult::rank)
                .toList();
    }

    public String text() {
        RankResult first = first();
        StringBuilder text = new StringBuilder(failure(first)).append(".\n");
        remarks(first).forEach(remark -> text.append("  ").append(remark).append('\n'));
        text.append('\n');
        first.lost().ifPresent(lost -> text.append(lost).append('\n'));
        first.result().ifPresent(ended -> text.append(WorkloadMessage.of(ended).text()));
        return text.append(others(first)).toString();
    }

    private Stream<String> remarks(RankResult first) {
        Stream<String> port = Stream.of(first, result.rank(0))
                .filter(rank -> rank.result()
                        .filter(ended -> ended.stderr().contains(PORT_TAKEN)
                                || ended.stdout().contains(PORT_TAKEN))
                        .isPresent())
                .map(rank ->
                        ("Rank %s could not open a port, because another program uses it. Run the test again, which chooses"
                                        + " another port. A port set by the test itself, as in NEURON_RT_ROOT_COMM_ID, must be free.")
                                .formatted(rank.rank()))
                .limit(1);
        List<Integer> early = ranks(RankEnd::endedWithZero);
        boolean follows = new RankEnd(first, 0).isFollower() || new RankEnd(first, 0).isWaiting();
        return Stream.concat(
                port,
                follows && !early.isEmpty()
                        ? Stream.of(
                                "It reports that another rank is gone or late, and before it only ranks with exit code 0 ended: %s."
                                        .formatted(RangeText.of(early)))
                        : Stream.empty());
    }

    /** Returns a line for each kind of end. Ranks with equal ends have a common line. */
    private String others(RankResult first) {
        Map<String, List<RankResult>> byEnd = result.ranks().stream()
                .filter(rank -> rank != first)
                .collect(Collectors.groupingBy(this::end, LinkedHashMap::new, Collectors.toList()));
        if (byEnd.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("\n  the other ranks:\n");
        byEnd.entrySet().stream()
                .limit(MOST_LINES)
                .forEach(each -> text.append("    %s %s\n".formatted(named(each.getValue()), each.getKey())));
        long further = byEnd.values().stream()
                .skip(MOST_LINES)
                .mapToLong(Collection::size)
                .sum();
        if (further > 0) {
            text.append("    and %s with further ends\n".formatted(CountText.of(further, "rank")));
        }
        return text.toString();
    }

    private static String named(List<RankResult> ranks) {
        List<String> hosts = ranks.stream().map(RankResult::host).distinct().toList();
        String numbers = RangeText.of(ranks.stream().map(RankResult::rank).toList());
        return ranks.size() == 1
                ? RankText.of(ranks.get(0).rank(), hosts.get(0))
                : "%s (%s) on %s"
                        .formatted(CountText.of(ranks.size(), "rank"), numbers, ListText.some(hosts, MOST_HOSTS));
    }

    private String end(RankResult rank) {
        RankEnd end = new RankEnd(rank, 0);
        if (rank.result().isEmpty()) {
            return "lost with the host";
        }
        WorkloadResult ended = rank.result().get();
        String code = ended.exitCode().map(ExitCode::toString).orElse("no exit code");
        return switch (ended.cause()) {
            case STOPPED, INTERRUPTED -> "stopped";
            case TIMED_OUT -> end.isWaiting() ? "waited until the deadline" : "still ran at the deadline";
            case EXITED ->
                "ended with " + code
                        + (end.isFollower() ? ", after another rank" : ended.succeeded() ? "" : reason(ended));
        };
    }

    private static String reason(WorkloadResult ended) {
        return ended.report()
                .gravest()
                .map(line -> line.text())
                .or(() -> last(ended.stderr()))
                .or(() -> last(ended.stdout()))
                .map(line -> ": " + (line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + " ..."))
                .orElse("");
    }

    private static Optional<String> last(String output) {
        return output.lines().filter(line -> !line.isBlank()).reduce((one, next) -> next);
    }
}
