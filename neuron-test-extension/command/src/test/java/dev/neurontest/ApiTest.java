package dev.neurontest;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.command.NeuronTestCommand;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The API: the types that {@code @API} marks as stable or experimental, with their public members. {@code api.txt} lists it with the
 * status of each type, which shows every change to a review.
 */
class ApiTest {

    private static final Path LIST = Path.of("..", "api.txt");

    /** The list that each run writes. Copy it over {@link #LIST} after an intended change. */
    private static final Path SEEN = Path.of("target", "api.txt");

    private static List<Class<?>> api;

    private static List<Class<?>> publicTypes;

    @BeforeAll
    static void collect() throws ReflectiveOperationException {
        List<URL> modules = Stream.of(HostTree.class, NeuronTest.class, NeuronTestCommand.class, FakeNeuronHost.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .toList();
        api = new ArrayList<>();
        publicTypes = new ArrayList<>();
        for (JavaClass type : new ClassFileImporter().importUrls(modules)) {
            if (isOfAllure(type)) {
                continue;
            }
            Class<?> loaded = Class.forName(type.getName(), false, ApiTest.class.getClassLoader());
            if (isForUsers(loaded)) {
                api.add(loaded);
            }
            if (Modifier.isPublic(loaded.getModifiers())) {
                publicTypes.add(loaded);
            }
        }
        api.sort(comparing(Class::getName));
    }

    /** Returns whether only Allure loads the type, which is not on this class path. */
    private static boolean isOfAllure(JavaClass type) {
        return type.getAllRawInterfaces().stream()
                .anyMatch(each -> each.getPackageName().startsWith("io.qameta.allure"));
    }

    private static boolean isForUsers(Class<?> type) {
        if (!Modifier.isPublic(type.getModifiers()) || isInternal(type)) {
            return false;
        }
        return type.getEnclosingClass() == null
                ? type.isAnnotationPresent(API.class)
                : isForUsers(type.getEnclosingClass());
    }

    private static boolean isInternal(AnnotatedElement element) {
        API status = element.getAnnotation(API.class);
        return status != null && status.status() == Status.INTERNAL;
    }

    /**
     * Returns the members of a type. Inherited members count as members of the type if their supertype is not listed.
     */
    private static Stream<Member> members(Class<?> type) {
        Stream<Method> methods = Stream.concat(
                Arrays.stream(type.getMethods()),
                Arrays.stream(type.getDeclaredMethods()).filter(method -> isProtected(type, method)));
        return Stream.<Member>concat(
                        Stream.concat(
                                Arrays.stream(type.getFields()).filter(field -> field.getDeclaringClass() == type),
                                Arrays.stream(type.getDeclaredConstructors())
                                        .filter(each ->
                                                Modifier.isPublic(each.getModifiers()) || isProtected(type, each))),
                        methods.filter(method -> belongsTo(type, method)))
                .filter(member -> !member.isSynthetic() && !isInternal((AnnotatedElement) member));
    }

    private static boolean isProtected(Class<?> type, Member member) {
        return Modifier.isProtected(member.getModifiers()) && !Modifier.isFinal(type.getModifiers());
    }

    private static boolean belongsTo(Class<?> type, Method method) {
        Class<?> owner = method.getDeclaringClass();
        return owner == type || owner.getName().startsWith("dev.neurontest.") && !isForUsers(owner);
    }

    private static List<String> lines(Class<?> type) {
        List<String> lines =
                new ArrayList<>(List.of(status(type) + " " + kind(type) + " " + type.getName() + supertypes(type)));
        members(type).map(member -> "    " + line(member)).distinct().sorted().forEach(lines::add);
        return lines;
    }

    /** Returns the status of a type, which is also that of its members and its nested types. */
    private static String status(Class<?> type) {
        API own = type.getAnnotation(API.class);
        return own == null
                ? status(type.getEnclosingClass())
                : own.status().name().toLowerCase(Locale.ROOT);
    }

    /** Returns the type's direct supertypes, without those that every type of its kind has. */
    private static String supertypes(Class<?> type) {
        if (type.isAnnotation()) {
            return "";
        }
        List<String> all = new ArrayList<>();
        @Nullable Type parent = type.getGenericSuperclass();
        if (parent != null && parent != Object.class && !type.isEnum() && !type.isRecord()) {
            all.add(shortName(parent));
        }
        Arrays.stream(type.getGenericInterfaces()).map(ApiTest::shortName).forEach(all::add);
        return (Modifier.isFinal(type.getModifiers()) && !type.isEnum() && !type.isRecord() ? " (final)" : "")
                + (type.isSealed() ? " (sealed)" : "")
                + (all.isEmpty() ? "" : " : " + String.join(", ", all));
    }

    /** Verifies that a member is as stable as its type, unless it is internal. Then one word for each type of the list is enough. */
    @Test
    void membersHaveTheStatusOfTheirType() {
        // then
        assertThat(api.stream()
                        .flatMap(ApiTest::members)
                        .filter(member -> ((AnnotatedElement) member).isAnnotationPresent(API.class)))
                .isEmpty();
    }

    @Test
    void extendsNoInternalType() {
        // then
        assertThat(api).allSatisfy(type -> {
            Set<Class<?>> named = new LinkedHashSet<>();
            Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                    .forEach(named::add);
            assertThat(named)
                    .as(type.getName())
                    .filteredOn(parent -> parent.getName().contains(".internal."))
                    .isEmpty();
        });
    }

    private static String kind(Class<?> type) {
        return type.isAnnotation()
                ? "@interface"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    }

    private static String line(Member member) {
        String modifier = (Modifier.isProtected(member.getModifiers()) ? "protected " : "")
                + (Modifier.isStatic(member.getModifiers()) ? "static " : "");
        if (member instanceof Field field) {
            return modifier + shortName(field.getGenericType()) + " " + field.getName();
        }
        Executable executable = (Executable) member;
        return modifier
                + (executable instanceof Method method
                        ? shortName(method.getGenericReturnType()) + " " + method.getName()
                        : "new")
                + Arrays.stream(executable.getGenericParameterTypes())
                        .map(ApiTest::shortName)
                        .collect(joining(", ", "(", ")"));
    }

    private static String shortName(Type type) {
        return type.getTypeName().replaceAll("\\b(?:[a-z][a-z0-9]*\\.)+(?=[A-Z])", "");
    }

    @Test
    void matchesListInApiTxt() throws IOException {
        // given
        List<String> seen = api.stream().flatMap(type -> lines(type).stream()).toList();
        Files.createDirectories(SEEN.getParent());
        Files.write(SEEN, seen);

        // then
        assertThat(Files.readAllLines(LIST))
                .as(
                        "the API, listed in neuron-test-extension/api.txt; if the change is meant: cp neuron-test-extension/command/target/api.txt neuron-test-extension/api.txt")
                .containsExactlyElementsOf(seen);
    }

    @Test
    void hasAtMost175TopLevelTypes() {
        // then
        assertThat(api)
                .filteredOn(type -> type.getEnclosingClass() == null)
                .filteredOn(type -> !type.getPackageName().startsWith("dev.neurontest.fake"))
                .hasSizeBetween(50, 175);
    }

    /**
     * Verifies that the packages for users contain no other public types, because code completion shows all of them.
     */
    @Test
    void coversAllPublicTypesOfItsPackages() {
        // given
        Set<String> packages = api.stream().map(Class::getPackageName).collect(toSet());

        // then
        assertThat(packages)
                .containsExactlyInAnyOrder(
                        "dev.neurontest",
                        "dev.neurontest.assertj",
                        "dev.neurontest.baseline",
                        "dev.neurontest.cluster",
                        "dev.neurontest.counter",
                        "dev.neurontest.device",
                        "dev.neurontest.fake",
                        "dev.neurontest.metric",
                        "dev.neurontest.print",
                        "dev.neurontest.profile",
                        "dev.neurontest.runtime",
                        "dev.neurontest.tensor",
                        "dev.neurontest.workload");
        assertThat(publicTypes)
                .filteredOn(type -> packages.contains(type.getPackageName()))
                .filteredOn(type -> !api.contains(type))
                .isEmpty();
    }

    @Test
    void signaturesUseNoInternalType() {
        // then
        assertThat(uses((type, used) -> used.getName().startsWith("dev.neurontest.") && !isForUsers(used)))
                .isEmpty();
    }

    /** Verifies that a test compiles without AssertJ, Allure, JNA or Jackson. Core itself depends on HdrHistogram. */
    @Test
    void signaturesUseNoOptionalLibrary() {
        // then
        assertThat(uses((type, used) ->
                        !used.getName().matches("(java|dev\\.neurontest|org\\.junit|org\\.HdrHistogram)\\..*")
                                && !(used.getName().startsWith("org.assertj.")
                                        && type.getPackageName().endsWith(".assertj"))))
                .isEmpty();
    }

    private interface Forbidden {
        boolean test(Class<?> type, Class<?> used);
    }

    private static Set<String> uses(Forbidden forbidden) {
        Set<String> found = new TreeSet<>();
        for (Class<?> type : api) {
            members(type).forEach(member -> {
                Set<Class<?>> named = new LinkedHashSet<>();
                if (member instanceof Field field) {
                    collect(field.getGenericType(), named);
                } else if (member instanceof Executable executable) {
                    Arrays.stream(executable.getGenericParameterTypes()).forEach(each -> collect(each, named));
                    Arrays.stream(executable.getGenericExceptionTypes()).forEach(each -> collect(each, named));
                    collect(
                            executable instanceof Method method
                                    ? method.getGenericReturnType()
                                    : ((Constructor<?>) executable).getDeclaringClass(),
                            named);
                }
                named.stream()
                        .filter(used -> !used.isPrimitive() && forbidden.test(type, used))
                        .forEach(used -> found.add(type.getName() + " " + line(member) + ": " + used.getName()));
            });
        }
        return found;
    }

    /** Collects the classes that a type names, without the bounds of its variables, which may be recursive. */
    private static void collect(Type type, Set<Class<?>> into) {
        if (type instanceof Class<?> plain) {
            into.add(plain.isArray() ? plain.componentType() : plain);
        } else if (type instanceof GenericArrayType array) {
            collect(array.getGenericComponentType(), into);
        } else if (type instanceof WildcardType wildcard) {
            Stream.of(wildcard.getUpperBounds(), wildcard.getLowerBounds())
                    .flatMap(Arrays::stream)
                    .forEach(bound -> collect(bound, into));
        } else if (type instanceof ParameterizedType parameterized) {
            collect(parameterized.getRawType(), into);
            Arrays.stream(parameterized.getActualTypeArguments()).forEach(each -> collect(each, into));
        } else if (!(type instanceof TypeVariable<?>)) {
            throw new IllegalArgumentException(type.getTypeName());
        }
    }
}
