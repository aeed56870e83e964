package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;
import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import dev.neurontest.NeuronTest;
import java.lang.annotation.Annotation;
import java.lang.annotation.Repeatable;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
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

    private static final String LIBRARY = NeuronTest.class.getPackageName() + ".";

    static NearestAnnotations to(List<Class<?>> testClasses, Method testMethod) {
        List<AnnotatedElement> elements = new ArrayList<>(testClasses);
        elements.add(testMethod);
        return new NearestAnnotations(elements);
    }

    /** Returns all annotations of a type, the outermost first. */
    <A extends Annotation> List<A> all(Class<A> type) {
        List<A> all = new ArrayList<>();
        for (AnnotatedElement element : elements) {
            all.addAll(findRepeatableAnnotations(element, type));
        }
        return all;
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
        List<A> all = new ArrayList<>();
        nearest.values().forEach(all::addAll);
        return all;
    }

    /** Returns the nearest annotation of a type. */
    <A extends Annotation> Optional<A> nearest(Class<A> type) {
        for (int at = elements.size() - 1; at >= 0; at--) {
            Optional<A> found = findAnnotation(elements.get(at), type);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Returns the nearest annotation of each type with the given meta-annotation, the outermost first. */
    List<Annotation> carrying(Class<? extends Annotation> meta) {
        List<Annotation> carrying = new ArrayList<>();
        for (Class<? extends Annotation> type : types()) {
            if (type.isAnnotationPresent(meta)) {
                nearest(type).ifPresent(carrying::add);
            }
        }
        return carrying;
    }

    /** Returns whether only the extension is registered, so all other annotations of this library need not be read. */
    boolean onlyRegister() {
        for (Class<? extends Annotation> type : types()) {
            if (type != NeuronTest.class && type.getName().startsWith(LIBRARY)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the types of all annotations on the elements, directly or by other annotations, the outermost first. */
    private Set<Class<? extends Annotation>> types() {
        Set<Class<? extends Annotation>> types = new LinkedHashSet<>();
        Set<AnnotatedElement> seen = new HashSet<>();
        for (AnnotatedElement element : elements) {
            collect(element, seen, types);
        }
        return types;
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
            @Nullable AnnotatedElement element, Set<AnnotatedElement> seen, Set<Class<? extends Annotation>> types) {
        if (element == null || !seen.add(element)) {
            return;
        }
        for (Annotation each : element.getAnnotations()) {
            Class<? extends Annotation> type = each.annotationType();
            if (!type.getName().startsWith("java.lang.annotation.")) {
                types.add(type);
                collect(type, seen, types);
            }
        }
        if (element instanceof Class<?> type) {
            collect(type.getSuperclass(), seen, types);
            for (Class<?> above : type.getInterfaces()) {
                collect(above, seen, types);
            }
        }
    }
}
