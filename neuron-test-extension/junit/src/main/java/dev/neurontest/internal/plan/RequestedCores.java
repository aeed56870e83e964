package dev.neurontest.internal.plan;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotatedMethods;
import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;
import static org.junit.platform.commons.support.AnnotationSupport.isAnnotated;
import static org.junit.platform.commons.support.ReflectionSupport.findMethods;

import dev.neurontest.ForEachCore;
import dev.neurontest.ForEachDevice;
import dev.neurontest.LeaseScope;
import dev.neurontest.internal.lease.CoreRequest;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * All cores that a test or class requests, determined before anything is leased. Tests that take all their cores at once cannot deadlock.
 */
@API(status = API.Status.INTERNAL)
public final class RequestedCores {

    /** Cache by class; without it, a class with many tests would be read again for each test. */
    private static final ClassValue<Map<Class<? extends Annotation>, List<Method>>> AROUND_TESTS = new ClassValue<>() {

        @Override
        protected Map<Class<? extends Annotation>, List<Method>> computeValue(Class<?> testClass) {
            Map<Class<? extends Annotation>, List<Method>> methods = new HashMap<>();
            for (Class<? extends Annotation> annotation :
                    List.of(BeforeAll.class, BeforeEach.class, AfterEach.class, AfterAll.class)) {
                methods.put(annotation, findAnnotatedMethods(testClass, annotation, HierarchyTraversalMode.TOP_DOWN));
            }
            return methods;
        }
    };

    private RequestedCores() {}

    /** Returns the slots that a class requests for all its tests. */
    public static Set<CoreSlot> ofClass(Class<?> testClass, boolean oneInstanceByDefault) {
        Set<CoreSlot> slots = slots(ofAllTests(testClass, oneInstanceByDefault), LeaseScope.CLASS);
        slots.addAll(slots(ofEachTest(testClass, oneInstanceByDefault), LeaseScope.TEST));
        slots.addAll(slots(tests(testClass), LeaseScope.TEST));
        only(LeaseScope.CLASS, slots);
        if (slots.isEmpty() && usesRuntime(testClass, oneInstanceByDefault) && !isForEach(testClass)) {
            slots.add(new CoreSlot(CoreRequest.any(), 0, LeaseScope.CLASS));
        }
        return slots;
    }

    /** Returns the slots that a class requests for the session. */
    public static Set<CoreSlot> ofSession(Class<?> testClass, boolean oneInstanceByDefault) {
        return only(LeaseScope.SESSION, slots(ofAllTests(testClass, oneInstanceByDefault), LeaseScope.CLASS));
    }

    /** Returns the slots that a test requests, including its instances and the methods around it. */
    static Set<CoreSlot> ofTest(List<Class<?>> testClasses, Method testMethod, boolean oneInstanceByDefault) {
        Set<CoreSlot> all = ofAnyScope(testClasses, testMethod, oneInstanceByDefault);
        if (all.isEmpty() && needsCore(testClasses, testMethod, oneInstanceByDefault)) {
            all.add(new CoreSlot(CoreRequest.any(), 0, LeaseScope.TEST));
        }
        return only(LeaseScope.TEST, all);
    }

    /** Returns whether a test that takes no cores still needs one for the profiler tool or for the runtime in this JVM. */
    private static boolean needsCore(List<Class<?>> testClasses, Method testMethod, boolean oneInstanceByDefault) {
        return (ProfileAnnotations.replays(testClasses, testMethod)
                        || usesRuntime(testClasses, testMethod, oneInstanceByDefault))
                && !isForEach(testMethod)
                && testClasses.stream().noneMatch(each -> holdsCores(each, oneInstanceByDefault));
    }

    /** Returns whether a class holds cores for all its tests. */
    static boolean holdsCores(Class<?> testClass, boolean oneInstanceByDefault) {
        return isForEach(testClass)
                || !ofClass(testClass, oneInstanceByDefault).isEmpty()
                || !ofSession(testClass, oneInstanceByDefault).isEmpty();
    }

    /** Returns the slots that a test takes from the cores that its class holds for all its tests. */
    static Set<CoreSlot> ofClass(List<Class<?>> testClasses, Method testMethod, boolean oneInstanceByDefault) {
        return only(LeaseScope.CLASS, ofAnyScope(testClasses, testMethod, oneInstanceByDefault));
    }

    /** Returns the slots that a test requests for the session. */
    public static Set<CoreSlot> ofSession(List<Class<?>> testClasses, Method testMethod, boolean oneInstanceByDefault) {
        return only(LeaseScope.SESSION, ofAnyScope(testClasses, testMethod, oneInstanceByDefault));
    }

    private static Set<CoreSlot> ofAnyScope(
            List<Class<?>> testClasses, Method testMethod, boolean oneInstanceByDefault) {
        return slots(ofInstances(testClasses, testMethod, oneInstanceByDefault), LeaseScope.TEST);
    }

    private static Set<CoreSlot> only(LeaseScope scope, Set<CoreSlot> slots) {
        for (Iterator<CoreSlot> each = slots.iterator(); each.hasNext(); ) {
            if (each.next().scope() != scope) {
                each.remove();
            }
        }
        return slots;
    }

    /** Returns whether a test or class runs once for each core or device. */
    public static boolean isForEach(AnnotatedElement element) {
        return isAnnotated(element, ForEachCore.class) || isAnnotated(element, ForEachDevice.class);
    }

    /** Returns whether a test requires a fake host. */
    static boolean needFake(List<Class<?>> testClasses, Method testMethod, boolean oneInstanceByDefault) {
        for (Parameter parameter : parameters(testClasses, testMethod, oneInstanceByDefault)) {
            @Nullable HostParameter kind = HostParameter.of(parameter).orElse(null);
            if (kind == HostParameter.FAKE || kind == HostParameter.FAKES) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a class needs the runtime in this JVM for all its tests. */
    static boolean usesRuntime(Class<?> testClass, boolean oneInstanceByDefault) {
        return RuntimeParameters.areIn(parametersOfAllTests(testClass, oneInstanceByDefault));
    }

    /** Returns whether a class needs the runtime in this JVM, for all its tests or for one of them. */
    public static boolean anyTestUsesRuntime(Class<?> testClass) {
        List<Executable> executables = new ArrayList<>(ofAllTests(testClass, false));
        executables.addAll(ofEachTest(testClass, false));
        executables.addAll(tests(testClass));
        return RuntimeParameters.areIn(parameters(executables));
    }

    /** Returns whether a test needs the runtime in this JVM. */
    static boolean usesRuntime(List<Class<?>> testClasses, Method testMethod, boolean oneInstanceByDefault) {
        return RuntimeParameters.areIn(parameters(testClasses, testMethod, oneInstanceByDefault));
    }

    /** Returns all parameters that are resolved for one test. */
    static List<Parameter> parameters(List<Class<?>> testClasses, Method testMethod, boolean oneInstanceByDefault) {
        return parameters(ofInstances(testClasses, testMethod, oneInstanceByDefault));
    }

    /** Returns all parameters that are resolved once for all tests of a class. */
    static List<Parameter> parametersOfAllTests(Class<?> testClass, boolean oneInstanceByDefault) {
        return parameters(ofAllTests(testClass, oneInstanceByDefault));
    }

    private static List<Parameter> parameters(List<? extends Executable> executables) {
        List<Parameter> parameters = new ArrayList<>();
        for (Executable executable : executables) {
            parameters.addAll(List.of(executable.getParameters()));
        }
        return parameters;
    }

    private static List<Method> tests(Class<?> testClass) {
        return findMethods(testClass, method -> isAnnotated(method, Testable.class), HierarchyTraversalMode.TOP_DOWN);
    }

    private static List<Executable> ofInstances(
            List<Class<?>> testClasses, Method testMethod, boolean oneInstanceByDefault) {
        List<Executable> executables = new ArrayList<>();
        for (Class<?> each : testClasses) {
            executables.addAll(ofEachTest(each, oneInstanceByDefault));
        }
        executables.add(testMethod);
        return executables;
    }

    /** Returns the constructors and methods of a class that are called for each test. */
    private static List<Executable> ofEachTest(Class<?> testClass, boolean oneInstanceByDefault) {
        List<Executable> executables = new ArrayList<>();
        if (!hasOneInstance(testClass, oneInstanceByDefault)) {
            executables.addAll(List.of(testClass.getDeclaredConstructors()));
        }
        executables.addAll(AROUND_TESTS.get(testClass).get(BeforeEach.class));
        executables.addAll(AROUND_TESTS.get(testClass).get(AfterEach.class));
        return executables;
    }

    /** Returns the constructors and methods of a class that are called once for all tests. */
    private static List<Executable> ofAllTests(Class<?> testClass, boolean oneInstanceByDefault) {
        List<Executable> executables = new ArrayList<>();
        if (hasOneInstance(testClass, oneInstanceByDefault)) {
            executables.addAll(List.of(testClass.getDeclaredConstructors()));
        }
        executables.addAll(AROUND_TESTS.get(testClass).get(BeforeAll.class));
        executables.addAll(AROUND_TESTS.get(testClass).get(AfterAll.class));
        return executables;
    }

    private static Set<CoreSlot> slots(List<? extends Executable> executables, LeaseScope place) {
        Set<CoreSlot> slots = new LinkedHashSet<>();
        for (Executable executable : executables) {
            slots.addAll(CoreSlot.of(executable, place).values());
        }
        return slots;
    }

    private static boolean hasOneInstance(Class<?> testClass, boolean byDefault) {
        @Nullable
        TestInstance instance = findAnnotation(testClass, TestInstance.class).orElse(null);
        return instance == null ? byDefault : instance.value() == TestInstance.Lifecycle.PER_CLASS;
    }
}
