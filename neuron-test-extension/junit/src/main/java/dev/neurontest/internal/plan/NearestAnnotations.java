package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;
import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The annotations of a test and of its enclosing classes. The annotation nearest to the test wins.
 *
 * @param elements from the outermost class to the method
 */
record NearestAnnotations(List<? extends AnnotatedElement> elements) {

    static NearestAnnotations to(List<Class<?>> testClasses, Method testMethod) {
        List<AnnotatedElement> elements = new ArrayList<>(testClasses);
        elements.add(testMethod);
        return new NearestAnnotations(elements);
    }

    /** Returns all annotations of a type, the outermost first. */
    <A extends Annotation> List<A> all(Class<A> type) {
        return elements.stream()
                .flatMap(element -> findRepeatableAnnotations(element, type).stream())
                .toList();
    }

    /** Returns the annotations of a type, but for each subject only those of the nearest element. */
    <A extends Annotation> List<A> of(Class<A> type, Function<A, String> subject) {
        Map<String, List<A>> nearest = new LinkedHashMap<>();
        for (AnnotatedElement element : elements) {
            Map<String, List<A>> found = new LinkedHashMap<>();
            for (A each : findRepeatableAnnotations(element, type)) {
                found.computeIfAbsent(subject.apply(each), key -> new ArrayList<>())
                        .add(each);
            }
            nearest.putAll(found);
        }
        return nearest.values().stream().flatMap(List::stream).toList();
    }

    /** Returns the nearest annotation of a type. */
    <A extends Annotation> Optional<A> nearest(Class<A> type) {
        return elements.stream()
                .flatMap(element -> findAnnotation(element, type).stream())
                .reduce((outer, inner) -> inner);
    }

    /** Returns the nearest annotation of each type with the given meta-annotation, the outermost first. */
    List<Annotation> carrying(Class<? extends Annotation> meta) {
        Set<Class<? extends Annotation>> types = new LinkedHashSet<>();
        Set<AnnotatedElement> seen = new HashSet<>();
        elements.forEach(element -> collect(element, meta, seen, types));
        return types.stream()
                .flatMap(type -> nearest(type).<Annotation>map(each -> each).stream())
                .toList();
    }

    private static void collect(
            @Nullable AnnotatedElement element,
            Class<? extends Annotation> meta,
            Set<AnnotatedElement> seen,
            Set<Class<? extends Annotation>> types) {
        if (element == null || !seen.add(element)) {
            return;
        }
        for (Annotation each : element.getAnnotations()) {
            Class<? extends Annotation> type = each.annotationType();
            if (type.isAnnotationPresent(meta)) {
                types.add(type);
            }
            collect(type, meta, seen, types);
        }
        if (element instanceof Class<?> type) {
            collect(type.getSuperclass(), meta, seen, types);
            Arrays.stream(type.getInterfaces()).forEach(above -> collect(above, meta, seen, types));
        }
    }
}
