package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;
import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import java.lang.annotation.Annotation;
import java.lang.annotation.Repeatable;
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
import java.util.function.BiPredicate;
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

    /**
     * Requires that expectations can be met together. Annotations of different types do not override each other, and those of one element
     * all apply.
     *
     * @param stated the expectations with their annotations
     * @param exclude whether no test can meet both expectations
     */
    <E> void requireCompatible(Map<E, ? extends Annotation> stated, BiPredicate<E, E> exclude) {
        List<E> expectations = List.copyOf(stated.keySet());
        for (int at = 0; at < expectations.size(); at++) {
            E earlier = expectations.get(at);
            for (E later : expectations.subList(at + 1, expectations.size())) {
                if (exclude.test(earlier, later)) {
                    throw Misuse.of("%s and %s cannot both be met. Correct or remove one of them."
                            .formatted(withPlace(stated.get(earlier)), withPlace(stated.get(later))));
                }
            }
        }
    }

    /** Returns the text of an annotation with its element, such as {@code @MaxLatency("17 ms") on DecoderTest.isFast()}. */
    String withPlace(Annotation annotation) {
        return elements.stream()
                .filter(element -> isOn(element, annotation))
                .reduce((outer, inner) -> inner)
                .map(element -> AnnotationText.of(annotation) + " on "
                        + (element instanceof Method method
                                ? method.getDeclaringClass().getSimpleName() + "." + method.getName() + "()"
                                : ((Class<?>) element).getSimpleName()))
                .orElseThrow();
    }

    private static boolean isOn(AnnotatedElement element, Annotation annotation) {
        Class<? extends Annotation> type = annotation.annotationType();
        return type.isAnnotationPresent(Repeatable.class)
                ? findRepeatableAnnotations(element, type).contains(annotation)
                : findAnnotation(element, type).filter(annotation::equals).isPresent();
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
