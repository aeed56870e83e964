package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;
import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The annotations of a test and of the classes around it. What is nearer to the test wins.
 *
 * @param elements from the outermost class to the method
 */
record NearestAnnotations(List<? extends AnnotatedElement> elements) {

    static NearestAnnotations to(List<Class<?>> testClasses, Method testMethod) {
        List<AnnotatedElement> elements = new ArrayList<>(testClasses);
        elements.add(testMethod);
        return new NearestAnnotations(elements);
    }

    /** All of a type, the outermost first. */
    <A extends Annotation> List<A> all(Class<A> type) {
        return elements.stream()
                .flatMap(element -> findRepeatableAnnotations(element, type).stream())
                .toList();
    }

    /** All of a type, but of those on the same thing only the ones of the nearest element. */
    <A extends Annotation> List<A> of(Class<A> type, Function<A, String> subject) {
        Map<String, List<A>> nearest = new LinkedHashMap<>();
        for (AnnotatedElement element : elements) {
            Map<String, List<A>> here = new LinkedHashMap<>();
            for (A each : findRepeatableAnnotations(element, type)) {
                here.computeIfAbsent(subject.apply(each), key -> new ArrayList<>())
                        .add(each);
            }
            nearest.putAll(here);
        }
        return nearest.values().stream().flatMap(List::stream).toList();
    }

    /** The nearest of a type. */
    <A extends Annotation> Optional<A> one(Class<A> type) {
        return elements.stream()
                .flatMap(element -> findAnnotation(element, type).stream())
                .reduce((outer, inner) -> inner);
    }
}
