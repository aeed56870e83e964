package dev.neurontest.internal.command.run;

import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.text.NearestName;
import java.io.File;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.engine.DiscoverySelector;

/**
 * Test methods as a user selects them. {@code com.acme.BertTest#infers} selects all methods with this name, {@code #infers(int)} selects
 * one of them, and {@code #infers[3]} selects the third invocation of a test with several invocations.
 *
 * @param className the full name, with {@code $} before a nested class
 * @param name the name of the method
 * @param types the parameter types, in parentheses; empty if not given
 * @param invocation the number of the invocation, from 1; empty for all
 */
record SelectedMethod(String className, String name, String types, OptionalInt invocation) {

    private static final Pattern SHAPE = Pattern.compile("([^#]+)#([^\\[]+?)(\\([^()]*\\))?(?:\\[(\\d{1,9})])?");
    private static final int MOST_NAMES = 10;

    /** Annotation of tests with retries. Their invocations are attempts of one test, and each replaces the previous one. */
    private static final String RETRY = "dev.neurontest.RetryOnAnotherCore";

    static SelectedMethod parse(String text) {
        Matcher shape = SHAPE.matcher(text);
        if (!shape.matches() || "0".equals(shape.group(4))) {
            throw new CommandException(
                    "\"%s\" is not a method. Expected CLASS#METHOD such as com.acme.BertTest#infers or com.acme.BertTest#infers(int), with"
                                    .formatted(text)
                            + " [3] after it for the third invocation.");
        }
        return new SelectedMethod(
                shape.group(1),
                shape.group(2),
                shape.group(3) == null ? "" : shape.group(3),
                shape.group(4) == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(shape.group(4))));
    }

    /** Returns the selectors of the methods. Methods with this name that are not tests are included; JUnit ignores them. */
    Stream<DiscoverySelector> selectors() {
        Class<?> testClass = testClass(className);
        // The name of a Kotlin test may end with parentheses.
        SelectedMethod withoutTypes = new SelectedMethod(className, name + types, "", invocation);
        if (!types.isEmpty() && !withoutTypes.named(testClass).isEmpty()) {
            return withoutTypes.selectors();
        }
        List<Method> methods = named(testClass);
        if (methods.isEmpty()) {
            throw new CommandException("%s has no method %s.%s".formatted(className, name, instead(testClass)));
        }
        List<Method> chosen = methods.stream()
                .filter(method -> types.isEmpty() || signature(method).equals(name + types.replace(" ", "")))
                .toList();
        if (chosen.isEmpty()) {
            List<String> signatures =
                    methods.stream().map(SelectedMethod::signature).toList();
            throw new CommandException("%s has no method %s%s. It has %s."
                    .formatted(className, name, types, ListText.some(signatures, MOST_NAMES)));
        }
        return chosen.stream().map(method -> selector(testClass, method));
    }

    private DiscoverySelector selector(Class<?> testClass, Method method) {
        DiscoverySelector whole = selectMethod(testClass, method);
        return invocation.isEmpty() || isRetried(method) ? whole : selectIteration(whole, invocation.getAsInt() - 1);
    }

    private static boolean isRetried(Method method) {
        return ReflectionSupport.tryToLoadClass(RETRY)
                .toOptional()
                .filter(retry -> isAnnotated(method, retry.asSubclass(Annotation.class)))
                .isPresent();
    }

    private List<Method> named(Class<?> testClass) {
        return ReflectionSupport.findMethods(
                testClass,
                method -> method.getName().equals(name) && !method.isSynthetic(),
                HierarchyTraversalMode.TOP_DOWN);
    }

    private static String signature(Method method) {
        return method.getName() + "("
                + Stream.of(method.getParameterTypes()).map(Class::getTypeName).collect(Collectors.joining(",")) + ")";
    }

    /** Returns a suggestion for an unknown method: the same name in a nested class, or a similar name. */
    private String instead(Class<?> testClass) {
        Optional<String> nested =
                ReflectionSupport.findNestedClasses(
                                testClass, inner -> !named(inner).isEmpty())
                        .stream()
                        .findFirst()
                        .map(inner -> inner.getName() + "#" + name);
        List<String> names = ReflectionSupport.findMethods(
                        testClass,
                        method -> !method.isSynthetic() && method.getDeclaringClass() != Object.class,
                        HierarchyTraversalMode.TOP_DOWN)
                .stream()
                .map(Method::getName)
                .distinct()
                .toList();
        return nested.or(() -> NearestName.of(name, names))
                .map(" Did you mean %s?"::formatted)
                .orElse(names.isEmpty() ? "" : " It has " + ListText.some(names, MOST_NAMES) + ".");
    }

    /**
     * Loads a class by its full name.
     *
     * @throws CommandException when there is no such class
     */
    static Class<?> testClass(String name) {
        return ReflectionSupport.tryToLoadClass(name)
                .getOrThrow(failed -> failed instanceof ClassNotFoundException
                        ? new CommandException(
                                "There is no class %s on the class path.%s".formatted(name, elsewhere(name)), failed)
                        : new CommandException("The class %s cannot be loaded: %s".formatted(name, failed), failed));
    }

    /** Returns a suggestion for an unknown class: a class of any package with the same simple name, or a similar one. */
    private static String elsewhere(String name) {
        Map<String, String> bySimpleName = new TreeMap<>();
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::isDirectory)
                .forEach(folder ->
                        ReflectionSupport.findAllClassesInClasspathRoot(folder.toUri(), loaded -> true, found -> {
                            bySimpleName.putIfAbsent(simple(found), found);
                            return false;
                        }));
        return NearestName.of(simple(name), bySimpleName.keySet())
                .map(nearest -> " Did you mean %s?".formatted(bySimpleName.get(nearest)))
                .orElse("");
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
