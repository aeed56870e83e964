package dev.neurontest.internal.profile.threshold;

import dev.neurontest.internal.profile.ProfileMetrics;
import dev.neurontest.internal.profile.Throttling;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.Grouping;
import dev.neurontest.profile.Latency;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileEvents;
import dev.neurontest.profile.ProfileSummary;
import dev.neurontest.profile.ProfileTables;
import dev.neurontest.profile.Statistic;
import dev.neurontest.profile.TracedExecution;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** Texts of the messages about thresholds. */
@API(status = API.Status.INTERNAL)
public final class ProfileMessages {

    /** Maximum number of listed items of a kind; the rest is only counted. */
    private static final int NAMED = 4;

    private static final String MFU = "mfu_estimated_percent";

    private ProfileMessages() {}

    public static String nothingTraced(Profile profile) {
        return "Nothing was traced. See the output of the tool: %s.".formatted(profile.folder());
    }

    public static String noTables(Profile profile, TracedExecution execution) {
        return "%s has no tables. This expectation requires them, and they could not be made.%s See the output of the tool: %s."
                .formatted(
                        execution.ntff(),
                        profile.notices().isEmpty()
                                ? ""
                                : " Notices: "
                                        + ListText.some(profile.notices(), NAMED)
                                                .replaceFirst("[.]?$", "."),
                        profile.folder());
    }

    public static String absentPlace(InstructionPlace place, TracedExecution execution) {
        Path folder = execution.tablesFolder().orElseThrow();
        List<String> nearest = place.nearest(ProfileEvents.sums(ProfileTables.of(folder)));
        return nearest.isEmpty()
                ? "Absent is not zero. No instruction in %s has a %s: compile the model or kernel with debug information."
                        .formatted(folder, place.word())
                : "Absent is not zero. Nearest in %s: %s. Write a %s as %s."
                        .formatted(
                                folder,
                                String.join(", ", nearest),
                                place.word(),
                                place.by() == Grouping.LINE
                                        ? "the end of its path and its number, such as \"attention.py:120\""
                                        : "its whole name, or that of an enclosing layer");
    }

    public static String otherTimes(String metric, TracedExecution execution, String tool) {
        List<String> others = Arrays.stream(Latency.values())
                .filter(each -> execution.summary().number(each.metric()).isPresent())
                .map(each -> "of = %s (%s)".formatted(each, each.metric()))
                .toList();
        return "%s did not write %s for %s, and no other time can replace it%s."
                .formatted(
                        tool,
                        metric,
                        execution.ntff(),
                        others.isEmpty()
                                ? ": view it with another version of the tool"
                                : ". Limit another time: " + String.join(" or ", others));
    }

    public static String unknown(String metric, Unit unit) {
        return "%s is not a known metric: the value that the tool writes is read as %s."
                .formatted(
                        metric, unit == Unit.COUNT ? "a plain number" : "a number of unit \"" + unit.symbol() + "\"");
    }

    public static String firstLeftOut(String metric, String part, int executions) {
        String of = part.isEmpty() ? "" : " of " + part;
        return executions == 1
                ? "%s: the first execution%s is left out, because it includes start-up.".formatted(metric, of)
                : "%s: %s first executions%s are left out, because they include start-up."
                        .formatted(metric, executions, of);
    }

    public static String tooFew(Statistic over, int executions) {
        return "%s requires %s executions or more, and there %s. Trace more of them, or judge the median."
                .formatted(over, over.needed(), executions == 1 ? "is 1" : "are " + executions);
    }

    public static String unreadable(String metric, String odd, TracedExecution execution, Profile profile) {
        return "The tool wrote %s for %s of %s. Real inputs instead of zeros often help; see its output: %s."
                .formatted(odd, metric, execution.ntff(), profile.folder());
    }

    public static String abovePeak(String metric) {
        return "%s is above 100 %%: it is relative to the peak of BF16, which FP8 can exceed. Without FP8, it is doubtful."
                .formatted(metric);
    }

    public static String moreThanAll(String metric, TracedExecution execution, Profile profile) {
        return "The tool wrote %s for %s of %s, but a fraction cannot be more than the whole, unless FP8 exceeds the peak of BF16. See its output: %s."
                .formatted(
                        plain(execution.summary().number(metric).orElseThrow()),
                        metric,
                        execution.ntff(),
                        profile.folder());
    }

    public static String absent(int without, int executions, TracedExecution example, String metric) {
        Object written = example.summary().values().get(metric);
        String valueText = written == null
                ? "absent"
                : written instanceof Double number
                        ? plain(number) + ", which means \"not available\""
                        : "a text, \"%s\"".formatted(written);
        return executions == 1 ? valueText : "%s in %s of %s executions".formatted(valueText, without, executions);
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    public static String absentAdvice(String metric, ProfileSummary summary, String tool) {
        String since = ProfileMetrics.find(metric)
                .map(known ->
                        "It is written " + since(known.since()) + ", and not for every graph; this is " + tool + ".")
                .orElse("No tool is known to write it; this is " + tool + ".");
        List<String> nearest = ProfileMetrics.nearest(metric, summary.values().keySet());
        return "Absent is not zero. %s%s"
                .formatted(
                        since,
                        nearest.isEmpty() ? "" : " Nearest in this summary: " + String.join(", ", nearest) + ".");
    }

    private static String since(String version) {
        return version.equals("explorer") ? "by newer versions of neuron-explorer only" : "since version " + version;
    }

    /**
     * Returns the measured value in words, such as
     * {@code 18.2 ms, 7.1 % over: the median of 5 executions (16.9 ms to 19 ms) on rank 3, the slowest of 4}.
     */
    public static String measured(LimitComparison comparison) {
        List<String> origin = new ArrayList<>();
        int executions = comparison.part().executions().size();
        if (executions > 1) {
            origin.add(ofExecutions(comparison, executions));
        }
        if (comparison.parts().size() > 1) {
            origin.add(ofParts(comparison));
        }
        return comparison.limit().text(comparison.value())
                + (comparison.limit().value().value() == 0
                        ? ""
                        : ", " + comparison.limit().margin(comparison.value()))
                + (origin.isEmpty() ? "" : ": " + String.join(" ", origin));
    }

    private static String ofExecutions(LimitComparison comparison, int executions) {
        if (comparison.over().equals(Statistic.EACH)) {
            List<String> broken = comparison.part().executions().stream()
                    .filter(each -> !comparison.limit().isKeptBy(comparison.measured(each)))
                    .map(each -> "execution %s (%s)"
                            .formatted(each.index(), comparison.limit().text(comparison.measured(each))))
                    .toList();
            return "beyond it in %s of %s executions: %s"
                    .formatted(broken.size(), executions, ListText.some(broken, NAMED));
        }
        double least = comparison.executions().min().orElseThrow();
        double most = comparison.executions().max().orElseThrow();
        if (least == most) {
            return "the same in all %s executions".formatted(executions);
        }
        return "the %s of %s executions (%s to %s)"
                .formatted(
                        comparison.over(),
                        executions,
                        comparison.limit().text(least),
                        comparison.limit().text(most));
    }

    private static String ofParts(LimitComparison comparison) {
        if (comparison.values().stream().distinct().count() == 1) {
            return "on %s, as on all %s"
                    .formatted(comparison.part().name(), comparison.parts().size());
        }
        boolean time = ProfileMetrics.find(comparison.metric())
                .map(known -> known.metric().isTime())
                .orElse(comparison.limit().value().unit() == Unit.NANOSECONDS);
        List<String> others = comparison.alsoBroken().stream()
                .map(part -> "%s (%s)"
                        .formatted(
                                comparison.parts().get(part).name(),
                                comparison.limit().text(comparison.values().get(part))))
                .toList();
        List<Double> otherValues = new ArrayList<>(comparison.values());
        otherValues.remove(comparison.worst());
        String range = "the others are from %s to %s"
                .formatted(
                        comparison
                                .limit()
                                .text(otherValues.stream()
                                        .mapToDouble(it -> it)
                                        .min()
                                        .orElseThrow()),
                        comparison
                                .limit()
                                .text(otherValues.stream()
                                        .mapToDouble(it -> it)
                                        .max()
                                        .orElseThrow()));
        return "on %s, %s of %s; %s%s"
                .formatted(
                        comparison.part().name(),
                        time && comparison.limit().upper() ? "the slowest" : "the worst",
                        comparison.parts().size(),
                        range,
                        others.isEmpty() ? "" : "; also beyond it: " + ListText.some(others, NAMED));
    }

    public static String notKeptApart(InstructionPlace place, TracedExecution execution) {
        return "%s cannot be measured in %s, which has more or longer names than are kept apart. Sum it up with @ProfileSql."
                .formatted(place, execution.ntff());
    }

    public static String noTime(InstructionPlace place, TracedExecution execution) {
        return "The instructions of %s in %s took 0 ns in all, which is not a measurement. Capture it again."
                .formatted(place, execution.ntff());
    }

    public static String advice(Optional<Metric> metric, LimitComparison comparison) {
        ProfileSummary summary = comparison.example().summary();
        if (comparison.metric().equals(MFU) && comparison.value() == 0) {
            return "It is 0 without matrix multiplications: use mbu_estimated_percent there. In older tools it is also 0 for kernels without a source graph: use mfu_inst_estimated_percent there.";
        }
        if (metric.map(Metric::noise).filter(noise -> noise != Noise.NOISY).isPresent()) {
            return "It does not vary between runs of one NEFF, unless control flow depends on data: see what changed in the compiler or the kernel. If it is intended, change the threshold.";
        }
        if (!comparison.isNearLimit()) {
            return "See in the trace where the time goes.%s If it is intended, change the threshold."
                    .formatted(throttled(summary));
        }
        String enough = comparison.part().executions().size() > 1
                ? "See in the trace where the time goes."
                : "One execution decided it: trace more and judge their median, or see in the trace where the time goes.";
        return "It varies between runs: 3 to 5 %% is usual for milliseconds, more for microseconds. %s%s If it is intended, change the threshold."
                .formatted(enough, throttled(summary));
    }

    /**
     * Returns a sentence about throttling. The device may have been slowed down even below the threshold at which a guard reports
     * throttling.
     */
    private static String throttled(ProfileSummary summary) {
        return Throttling.of(summary)
                .map(it -> " The device was slowed down for " + it + " of the time.")
                .orElse("");
    }
}
