package dev.neurontest.internal.profile;

import dev.neurontest.metric.Direction;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.Statistic;
import dev.neurontest.profile.TracedExecution;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import org.apiguardian.api.API;

/** The single value of a metric for all executions and ranks of a profile. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProfileValue {

    private ProfileValue() {}

    public static OptionalDouble number(Profile profile, String metric) {
        boolean higherIsBetter = ProfileMetrics.find(metric)
                .filter(known -> known.metric().better() == Direction.HIGHER)
                .isPresent();
        DoubleStream medians = ComparableExecutions.of(trusted(profile, metric)).stream()
                .map(part -> values(part.executions(), metric))
                .filter(values -> values.length > 0)
                .mapToDouble(values -> Statistic.MEDIAN.of(values, true));
        return higherIsBetter ? medians.min() : medians.max();
    }

    /** Returns the values of one metric, in the order of the executions. Executions without the metric are omitted. */
    public static double[] values(List<TracedExecution> executions, String metric) {
        return executions.stream()
                .map(execution -> execution.summary().number(metric))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .toArray();
    }

    static List<TracedExecution> trusted(Profile profile, String metric) {
        Predicate<Doubt> spoils = doubt -> Doubts.spoils(doubt.kind().name(), metric);
        List<TracedExecution> trusted = profile.executions().stream()
                .filter(execution -> execution.doubts().stream().noneMatch(spoils))
                .toList();
        return trusted.isEmpty() ? profile.executions() : trusted;
    }

    public static Optional<String> text(Profile profile, String metric) {
        List<String> texts = profile.executions().stream()
                .flatMap(execution -> execution.summary().text(metric).stream())
                .distinct()
                .toList();
        return texts.size() == 1 ? Optional.of(texts.get(0)) : Optional.empty();
    }
}
