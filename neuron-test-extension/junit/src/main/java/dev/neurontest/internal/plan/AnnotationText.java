package dev.neurontest.internal.plan;

import java.lang.annotation.Annotation;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.platform.commons.support.ReflectionSupport;

/** The source text of an annotation, without members that have their default value. */
final class AnnotationText {

    private static final Comparator<Method> AS_IN_THE_SOURCE = Comparator.comparing(
                    (Method member) -> !member.getName().equals("value"))
            .thenComparing(member -> member.getDefaultValue() != null)
            .thenComparing(Method::getName);

    private AnnotationText() {}

    static String of(Annotation annotation) {
        Class<? extends Annotation> type = annotation.annotationType();
        List<String> given = new ArrayList<>();
        Stream.of(type.getDeclaredMethods())
                .filter(member -> !member.isSynthetic())
                .sorted(AS_IN_THE_SOURCE)
                .forEach(member -> {
                    Object value = Objects.requireNonNull(ReflectionSupport.invokeMethod(member, annotation));
                    if (!Objects.deepEquals(value, member.getDefaultValue())) {
                        given.add(member.getName() + " = " + text(value));
                    }
                });
        String members = given.size() == 1 ? given.get(0).replaceFirst("^value = ", "") : String.join(", ", given);
        return "@" + type.getSimpleName() + (members.isEmpty() ? "" : "(" + members + ")");
    }

    private static String text(Object value) {
        if (value.getClass().isArray()) {
            String all = IntStream.range(0, Array.getLength(value))
                    .mapToObj(index -> text(Array.get(value, index)))
                    .collect(Collectors.joining(", "));
            return Array.getLength(value) == 1 ? all : "{" + all + "}";
        }
        return value instanceof String
                ? "\"" + value + "\""
                : value instanceof Class<?> type ? type.getSimpleName() + ".class" : value.toString();
    }
}
