package dev.neurontest.internal.profile.threshold;

import dev.neurontest.internal.profile.ComparableExecutions;
import dev.neurontest.profile.Statistic;
import dev.neurontest.profile.TracedExecution;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * A metric held against one limit: what each part comes to, and which is the worst.
 *
 * @param limit what it is held against
 * @param metric which is there in every execution
 * @param over what of the executions of a part is taken
 * @param parts of the profile, at least one
 * @param values what each part comes to
 * @param worst which part is nearest to the limit or farthest beyond it
 */
@API(status = API.Status.INTERNAL)
public record LimitComparison(
        Limit limit, String metric, Statistic over, List<ComparableExecutions> parts, List<Double> values, int worst) {

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

    ComparableExecutions part() {
        return parts.get(worst);
    }

    /** What the executions of the worst part say. */
    DoubleStream executions() {
        return of(part(), metric);
    }

    double measured(TracedExecution execution) {
        return execution.summary().number(metric).orElseThrow();
    }

    /** The execution of the worst part whose value is nearest. */
    public TracedExecution example() {
        return part().executions().stream()
                .min(Comparator.comparingDouble(execution -> Math.abs(measured(execution) - value())))
                .orElseThrow();
    }

    /** The parts beyond the limit, without the worst. */
    List<Integer> alsoBroken() {
        return IntStream.range(0, parts.size())
                .filter(part -> part != worst && !limit.isKeptBy(values.get(part)))
                .boxed()
                .toList();
    }
}
