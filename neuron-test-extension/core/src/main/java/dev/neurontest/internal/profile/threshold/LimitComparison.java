package dev.neurontest.internal.profile.threshold;

import dev.neurontest.internal.profile.ComparableExecutions;
import dev.neurontest.profile.Statistic;
import dev.neurontest.profile.TracedExecution;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * A metric compared with one limit: the value of each part, and the worst part.
 *
 * @param metric a metric of every execution
 * @param over the statistic over the executions of a part
 * @param parts parts of the profile, at least one
 * @param values the value of each part
 * @param worst index of the part that is nearest to the limit or farthest beyond it
 */
@API(status = API.Status.INTERNAL)
public record LimitComparison(
        Limit limit, String metric, Statistic over, List<ComparableExecutions> parts, List<Double> values, int worst) {

    /** Largest distance from the limit, as a share of it, that the noise of one run can explain. */
    private static final BigDecimal NEAR = new BigDecimal("0.1");

    public static LimitComparison against(
            Limit limit, List<ComparableExecutions> parts, String metric, Statistic over) {
        List<Double> values = parts.stream()
                .map(part -> over.of(of(part, metric).toArray(), limit.upper()))
                .toList();
        int worst = IntStream.range(0, parts.size())
                .boxed()
                .max(Comparator.comparingDouble(part -> limit.excess(values.get(part))))
                .orElseThrow();
        return new LimitComparison(limit, metric, over, parts, values, worst);
    }

    private static DoubleStream of(ComparableExecutions part, String metric) {
        return part.executions().stream()
                .mapToDouble(execution -> execution.summary().number(metric).orElseThrow());
    }

    public double value() {
        return values.get(worst);
    }

    public double excess() {
        return limit.excess(value());
    }

    public boolean isKept() {
        return limit.isKeptBy(value());
    }

    /** Returns whether the value is near enough to the limit for noise to decide. */
    boolean isNearLimit() {
        BigDecimal limited = BigDecimal.valueOf(limit.value().value());
        BigDecimal distance = BigDecimal.valueOf(value()).subtract(limited).abs();
        return distance.compareTo(NEAR.multiply(limited.abs())) <= 0;
    }

    ComparableExecutions part() {
        return parts.get(worst);
    }

    /** Returns the values of the executions of the worst part. */
    DoubleStream executions() {
        return of(part(), metric);
    }

    double measured(TracedExecution execution) {
        return execution.summary().number(metric).orElseThrow();
    }

    /** Returns the execution of the worst part with the value nearest to that of the part. */
    public TracedExecution example() {
        return part().executions().stream()
                .min(Comparator.comparingDouble(execution -> Math.abs(measured(execution) - value())))
                .orElseThrow();
    }

    /** Returns the indexes of the parts beyond the limit, without the worst part. */
    List<Integer> alsoBroken() {
        return IntStream.range(0, parts.size())
                .filter(part -> part != worst && !limit.isKeptBy(values.get(part)))
                .boxed()
                .toList();
    }
}
