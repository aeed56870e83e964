package dev.neurontest.assertj;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.profile.ProfileMetric;
import dev.neurontest.internal.profile.ProfileMetrics;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AbstractProfileAssertTest {

    private static Method method(Class<?> type, ProfileMetric metric) throws NoSuchMethodException {
        String words = Arrays.stream(metric.name().replace("_nc0", "").split("_"))
                .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                .collect(Collectors.joining());
        String name = words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
        return metric.name().contains("_nc0") ? type.getMethod(name, int.class) : type.getMethod(name);
    }

    @Test
    void everyMetricHasLimitsOfItsKind() throws ReflectiveOperationException {
        // when
        Set<String> kinds = new TreeSet<>();
        for (ProfileMetric metric : ProfileMetrics.all()) {
            ParameterizedType type = (ParameterizedType)
                    method(AbstractProfileAssert.class, metric).getGenericReturnType();
            kinds.add(metric.metric().unit() + " " + type.getTypeName().replaceAll("[a-z.]+\\.", ""));
        }

        // then
        assertThat(kinds)
                .containsExactly(
                        "BYTES MetricAssert<ByteSize>",
                        "COUNT MetricAssert<Number>",
                        "CYCLES MetricAssert<Number>",
                        "FLOPS MetricAssert<Number>",
                        "FLOPS_PER_BYTE MetricAssert<Number>",
                        "FRACTION MetricAssert<Fraction>",
                        "INDEX MetricAssert<Number>",
                        "NANOSECONDS MetricAssert<Duration>",
                        "SECONDS MetricAssert<Duration>",
                        "TEXT MetricAssert<String>");
    }
}
