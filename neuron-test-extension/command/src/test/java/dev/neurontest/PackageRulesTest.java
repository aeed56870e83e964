package dev.neurontest;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.command.NeuronTestCommand;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.text.VisibleText;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** Tests of the packages of all modules and of the allowed uses between them. A new package is added here first. */
class PackageRulesTest {

    private static final String BASE = "dev.neurontest";
    private static final String FAKE = BASE + ".fake";
    private static final String INTERNAL = "internal.";

    /** The package of annotations and of the extension. */
    private static final String ANNOTATIONS = "";

    private static final Set<String> EVERYTHING = Set.of("*");

    /** The packages of the API, each with the API packages that it may use. Their own uses are allowed too. */
    private static final Map<String, Set<String>> API_PACKAGES = Map.ofEntries(
            Map.entry(ANNOTATIONS, Set.of("counter", "profile")),
            Map.entry("assertj", Set.of("counter", "print", "profile")),
            Map.entry("baseline", Set.of("metric")),
            Map.entry("cluster", Set.of("counter", "fake", "workload")),
            Map.entry("counter", Set.of("device", "metric")),
            Map.entry("device", Set.of()),
            Map.entry("fake", Set.of()),
            Map.entry("metric", Set.of()),
            Map.entry("print", Set.of("device", "tensor")),
            Map.entry("profile", Set.of("metric", "workload")),
            Map.entry("runtime", Set.of("device", "tensor")),
            Map.entry("tensor", Set.of()),
            Map.entry("workload", Set.of("baseline", "print", "runtime")));

    /** The internal packages that a package of the API may use. Their own uses are allowed too. */
    private static final Map<String, Set<String>> BEHIND_THE_API = Map.ofEntries(
            Map.entry(ANNOTATIONS, Set.of("lifecycle")),
            Map.entry("assertj", Set.of("assertj", "counter", "print", "profile.report")),
            Map.entry("baseline", Set.of("baseline")),
            Map.entry("cluster", Set.of("cluster.rank")),
            Map.entry("counter", Set.of("counter")),
            Map.entry("device", Set.of("device")),
            Map.entry("fake", EVERYTHING),
            Map.entry("metric", Set.of()),
            Map.entry("print", Set.of("print")),
            Map.entry("profile", Set.of("neff", "output", "profile.summary", "profile.threshold", "profile.tool")),
            Map.entry("runtime", Set.of("device.runtime", "neff", "output", "runtime", "runtime.stream", "status")),
            Map.entry("tensor", Set.of("tensor")),
            Map.entry("workload", Set.of("print.child", "workload")));

    /**
     * The internal packages, each with the others that it may use, in addition to those for files, text, threads and
     * JSON.
     */
    private static final Map<String, Set<String>> INTERNAL_PACKAGES = Map.ofEntries(
            Map.entry("archive", Set.of("host")),
            Map.entry("assertj", Set.of("tensor")),
            Map.entry("baseline", Set.of("baseline.statistics")),
            Map.entry("baseline.history", Set.of("baseline", "configuration")),
            Map.entry("baseline.statistics", Set.of()),
            Map.entry("cluster", Set.of("configuration", "evidence", "process")),
            Map.entry("cluster.agent", Set.of("cluster", "open", "workload")),
            Map.entry("cluster.rank", Set.of("cluster.agent")),
            Map.entry(
                    "command.doctor",
                    Set.of(
                            "counter",
                            "device.kernel",
                            "lease.table",
                            "platform",
                            "profile.tool",
                            "runtime",
                            "terminal")),
            Map.entry("command.run", Set.of("folder", "page", "process", "terminal")),
            Map.entry("configuration", Set.of()),
            Map.entry("counter", Set.of("counter.tree", "judgement")),
            Map.entry("counter.tree", Set.of("device.driver")),
            Map.entry("counter.wait", Set.of("counter")),
            Map.entry("device", Set.of("host")),
            Map.entry("device.driver", Set.of("device")),
            Map.entry("device.kernel", Set.of("host", "process", "status")),
            Map.entry("device.runtime", Set.of()),
            Map.entry("evidence", Set.of("configuration", "process", "judgement")),
            Map.entry("export", Set.of("baseline.statistics", "report")),
            Map.entry("file", Set.of("text")),
            Map.entry("folder", Set.of()),
            Map.entry("gate", Set.of("baseline", "report")),
            Map.entry("host", Set.of()),
            Map.entry("json", Set.of()),
            Map.entry("lease", Set.of("device", "process")),
            Map.entry("lease.store", Set.of("lease")),
            Map.entry("lease.table", Set.of("configuration", "device.runtime", "lease.store", "process.orphan")),
            Map.entry(
                    "lifecycle",
                    Set.of(
                            "participant.cluster",
                            "participant.comparison",
                            "participant.output",
                            "participant.print",
                            "participant.profile",
                            "participant.replay",
                            "participant.workload",
                            "plan",
                            "shard")),
            Map.entry("lifecycle.host", Set.of("lifecycle.lease", "open", "profile.tool")),
            Map.entry("lifecycle.lease", Set.of("evidence", "plan")),
            Map.entry("participant", Set.of("configuration", "lifecycle.lease", "status")),
            Map.entry("participant.cluster", Set.of("cluster.rank", "participant.workload", "plan")),
            Map.entry(
                    "participant.comparison",
                    Set.of("baseline.history", "neff", "participant", "plan", "profile.explain")),
            Map.entry("participant.counter", Set.of("counter.wait", "lifecycle.host", "participant")),
            Map.entry("participant.output", Set.of("output", "participant.runtime")),
            Map.entry(
                    "participant.print", Set.of("participant.workload", "participant.runtime", "plan", "print.child")),
            Map.entry(
                    "participant.profile", Set.of("participant", "plan", "platform", "profile.report", "profile.tool")),
            Map.entry("participant.replay", Set.of("archive", "participant.counter")),
            Map.entry(
                    "participant.runtime",
                    Set.of("lease.table", "participant", "plan", "platform", "print.stream", "runtime.watch")),
            Map.entry("participant.workload", Set.of("participant", "platform", "workload")),
            Map.entry("plan", Set.of("evidence", "lease", "output", "platform", "profile.threshold")),
            Map.entry("neff", Set.of()),
            Map.entry("open", Set.of("counter", "device.kernel", "lease.table", "platform")),
            Map.entry("output", Set.of("judgement", "tensor")),
            Map.entry("page", Set.of()),
            Map.entry("platform", Set.of("configuration", "device", "folder")),
            Map.entry("print", Set.of("page", "judgement", "tensor")),
            Map.entry("print.child", Set.of("configuration", "print.stream")),
            Map.entry("print.stream", Set.of("folder", "print", "runtime.stream")),
            Map.entry("process", Set.of()),
            Map.entry("process.orphan", Set.of("process")),
            Map.entry("profile", Set.of("output", "profile.tool")),
            Map.entry("profile.explain", Set.of("page", "profile")),
            Map.entry("profile.report", Set.of("page", "profile.threshold")),
            Map.entry("profile.summary", Set.of("profile", "profile.table")),
            Map.entry("profile.table", Set.of("folder")),
            Map.entry("profile.threshold", Set.of("profile", "profile.table", "judgement")),
            Map.entry("profile.tool", Set.of("device.runtime", "process", "status")),
            Map.entry("judgement", Set.of()),
            Map.entry("report", Set.of("configuration", "evidence")),
            Map.entry("report.compare", Set.of("baseline.statistics", "profile", "report.format")),
            Map.entry("report.format", Set.of("report")),
            Map.entry("report.history", Set.of("report.show")),
            Map.entry("report.merge", Set.of("counter", "print.stream", "report")),
            Map.entry("report.page", Set.of("counter", "profile", "report.history")),
            Map.entry("report.show", Set.of("baseline", "page", "report.compare", "terminal")),
            Map.entry("runtime", Set.of("runtime.library", "runtime.watch")),
            Map.entry("runtime.library", Set.of("folder")),
            Map.entry("runtime.stream", Set.of("runtime.library")),
            Map.entry("runtime.watch", Set.of()),
            Map.entry("samples", Set.of("baseline.statistics")),
            Map.entry("shard", Set.of("configuration")),
            Map.entry("status", Set.of()),
            Map.entry("tensor", Set.of()),
            Map.entry("terminal", Set.of("configuration")),
            Map.entry("text", Set.of()),
            Map.entry("thread", Set.of()),
            Map.entry("workload", Set.of("device.runtime", "print.child", "process", "judgement", "samples", "status")),
            Map.entry("fake.archive", Set.of("fake.files")),
            Map.entry("fake.command", EVERYTHING),
            Map.entry("fake.control", Set.of("fake.folder", "fake.help")),
            Map.entry("fake.driver", Set.of("fake.driver.instance")),
            Map.entry("fake.driver.instance", Set.of("fake.files")),
            Map.entry("fake.files", Set.of()),
            Map.entry("fake.folder", Set.of("fake.mounts")),
            Map.entry("fake.fuse", Set.of("fake.folder", "fake.fuse.protocol", "fake.files")),
            Map.entry("fake.fuse.protocol", Set.of()),
            Map.entry("fake.help", Set.of()),
            Map.entry("fake.mounts", Set.of()),
            Map.entry("fake.neff", Set.of("fake.files")),
            Map.entry("fake.profiler", Set.of("fake.profiler.capture", "fake.profiler.view")),
            Map.entry("fake.profiler.call", Set.of("fake.tool", "fake.neff")),
            Map.entry("fake.profiler.capture", Set.of("fake.profiler.call", "fake.profiler.ntff", "fake.runtime")),
            Map.entry("fake.profiler.ntff", Set.of("fake.neff")),
            Map.entry("fake.profiler.table", Set.of("fake.profiler.call")),
            Map.entry("fake.profiler.view", Set.of("fake.profiler.ntff", "fake.profiler.table")),
            Map.entry("fake.runtime", Set.of()),
            Map.entry("fake.script", Set.of()),
            Map.entry("fake.systemtool", Set.of("fake.control", "fake.driver", "fake.tool")),
            Map.entry("fake.tool", Set.of("fake.help")),
            Map.entry("fake.tree", Set.of("fake.tree.layout", "fake.driver")),
            Map.entry("fake.tree.directory", Set.of("fake.folder", "fake.tree")),
            Map.entry("fake.tree.layout", Set.of("fake.archive", "fake.driver.instance")),
            Map.entry("command", EVERYTHING));

    /** Packages that use no library. */
    private static final Set<String> WITHOUT_LIBRARIES = Set.of(
            "metric",
            "tensor",
            "internal.configuration",
            "internal.file",
            "internal.folder",
            "internal.host",
            "internal.neff",
            "internal.process",
            "internal.tensor",
            "internal.text",
            "internal.thread");

    /** Exceptions with a message that is passed to or taken from another exception. */
    private static final Set<String> CARRIERS =
            Set.of("RefusedException", "PlantedFileException", "MalformedSlotException", "NotCalled", "Broken");

    /** Packages of the command, which escapes everything when it prints. */
    private static final Set<String> PRINTED_BY_COMMAND = Set.of("command", "gate", "report", "export");

    private static final Set<String> MARKERS = Set.of("org.jspecify.annotations", "org.apiguardian.api");

    private static JavaClasses classes;

    @BeforeAll
    static void importMainClasses() {
        List<URL> modules = Stream.of(HostTree.class, NeuronTest.class, NeuronTestCommand.class, FakeNeuronHost.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .toList();
        assertThat(modules).as("core, junit, command, fake").doesNotHaveDuplicates();
        classes = new ClassFileImporter().importUrls(modules);
        assertThat(classes.stream().map(type -> name(type)))
                .contains(ANNOTATIONS, "counter", "internal.host", "internal.command", "fake", "internal.fake.driver");
    }

    /** Returns the package without the common prefix; an internal package of the fake begins with "internal.fake". */
    private static String name(JavaClass type) {
        String name = type.getPackageName();
        if (name.equals(BASE)) {
            return ANNOTATIONS;
        }
        if (!isInside(name, BASE)) {
            return name;
        }
        return name.substring(BASE.length() + 1).replaceFirst("^fake\\.internal\\b", "internal.fake");
    }

    private static boolean isInternal(String name) {
        return name.startsWith(INTERNAL);
    }

    /**
     * Returns the subject of a package: {@code profile} for {@code internal.profile.table} and {@code
     * internal.participant.profile}.
     */
    private static String subject(String name) {
        return name.replaceFirst("^internal\\.(participant\\.)?", "").split("\\.", 2)[0];
    }

    private static boolean isOfFake(String name) {
        return subject(name).equals("fake");
    }

    private static boolean isInside(String packageName, String parent) {
        return packageName.equals(parent) || packageName.startsWith(parent + ".");
    }

    /** Returns packages with all packages that they may use, directly or through others. */
    private static Set<String> withUsed(Set<String> packages, Map<String, Set<String>> table) {
        Set<String> found = new TreeSet<>(packages);
        List<String> open = new ArrayList<>(found);
        while (!open.isEmpty()) {
            table.getOrDefault(open.remove(0), Set.of()).stream()
                    .filter(found::add)
                    .forEach(open::add);
        }
        return found;
    }

    private static Set<String> usableInternals(String name) {
        Set<String> direct =
                new TreeSet<>(isInternal(name) ? Set.of(name.substring(INTERNAL.length())) : BEHIND_THE_API.get(name));
        if (!isOfFake(name)) {
            direct.addAll(List.of("file", "json", "text", "thread"));
        }
        return withUsed(direct, INTERNAL_PACKAGES);
    }

    private static boolean isAllowed(String user, String used) {
        Set<String> usable;
        if (isInternal(used)) {
            usable = usableInternals(user);
        } else if (isInternal(user)) {
            return true;
        } else {
            usable = withUsed(Set.of(user), API_PACKAGES);
        }
        return usable.contains("*") || usable.contains(isInternal(used) ? used.substring(INTERNAL.length()) : used);
    }

    /** Returns every use of one class by another that the rule forbids. */
    private static List<String> uses(BiPredicate<String, JavaClass> forbidden) {
        return classes.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(use -> forbidden.test(
                        name(use.getOriginClass()), use.getTargetClass().getBaseComponentType()))
                .map(Dependency::getDescription)
                .toList();
    }

    private static List<String> usesOf(String packageName, String... byOtherThan) {
        return uses((user, target) -> isInside(target.getPackageName(), packageName)
                && !Arrays.asList(byOtherThan).contains(user));
    }

    @Test
    void everyPackageIsListedInRules() {
        // then
        assertThat(classes.stream().map(type -> name(type)).distinct())
                .allSatisfy(name -> assertThat(isInternal(name) ? INTERNAL_PACKAGES : API_PACKAGES)
                        .containsKey(isInternal(name) ? name.substring(INTERNAL.length()) : name));
    }

    @Test
    void everyPackageListedInRulesExists() {
        // given
        Set<String> packages = classes.stream().map(type -> name(type)).collect(toSet());

        // then
        assertThat(BEHIND_THE_API).containsOnlyKeys(API_PACKAGES.keySet());
        assertThat(API_PACKAGES)
                .allSatisfy((name, used) -> assertThat(with(name, used)).isSubsetOf(packages));
        assertThat(BEHIND_THE_API)
                .allSatisfy((name, used) -> assertThat(internal(used)).isSubsetOf(packages));
        assertThat(INTERNAL_PACKAGES)
                .allSatisfy(
                        (name, used) -> assertThat(internal(with(name, used))).isSubsetOf(packages));
    }

    private static Set<String> with(String name, Set<String> used) {
        Set<String> all = new TreeSet<>(used);
        all.add(name);
        all.removeAll(EVERYTHING);
        return all;
    }

    private static Set<String> internal(Set<String> names) {
        return names.stream()
                .filter(name -> !EVERYTHING.contains(name))
                .map(INTERNAL::concat)
                .collect(toSet());
    }

    @Test
    void packagesUseOnlyAllowedPackages() {
        // then
        assertThat(uses((user, target) -> isInside(target.getPackageName(), BASE)
                        && (isOfFake(user) || !isInside(target.getPackageName(), FAKE))
                        && !user.equals(name(target))
                        && !isAllowed(user, name(target))))
                .isEmpty();
    }

    /** Verifies that neither layer has a cycle. Types of the API may be used everywhere, and use internal packages. */
    @Test
    void noCycleWithinApiOrInternalPackages() {
        // given
        Map<String, Set<String>> used = classes.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(use -> isInside(use.getTargetClass().getPackageName(), BASE))
                .filter(use -> isInternal(name(use.getOriginClass())) == isInternal(name(use.getTargetClass())))
                .filter(use -> !name(use.getOriginClass()).equals(name(use.getTargetClass())))
                .collect(groupingBy(
                        use -> name(use.getOriginClass()), mapping(use -> name(use.getTargetClass()), toSet())));

        // then
        assertThat(used)
                .containsKeys("counter", "internal.counter")
                .allSatisfy((name, direct) -> assertThat(withUsed(direct, used))
                        .as("what %s uses, directly or through others", name)
                        .doesNotContain(name));
    }

    /** Verifies that an internal package behind a package of the API uses no API package above that one. */
    @Test
    void internalPackagesUseNoApiAboveTheirOwn() {
        // given
        Map<String, Set<String>> usedApi = classes.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(use -> isInside(use.getTargetClass().getPackageName(), BASE))
                .filter(use -> isInternal(name(use.getOriginClass())) && !isInternal(name(use.getTargetClass())))
                .collect(groupingBy(
                        use -> name(use.getOriginClass()).substring(INTERNAL.length()),
                        mapping(use -> name(use.getTargetClass()), toSet())));

        // when
        Set<String> found = new TreeSet<>();
        BEHIND_THE_API.forEach((api, behind) -> {
            if (!behind.contains("*") && !api.equals(ANNOTATIONS)) {
                Set<String> below = withUsed(Set.of(api), API_PACKAGES);
                for (String internal : usableInternals(api)) {
                    usedApi.getOrDefault(internal, Set.of()).stream()
                            .filter(used -> !below.contains(used))
                            .forEach(used -> found.add(api + " -> " + internal + " -> " + used));
                }
            }
        });

        // then
        assertThat(found).isEmpty();
    }

    @Test
    void participantsDoNotUseAnnotations() {
        // then
        assertThat(uses((user, target) -> target.getPackageName().equals(BASE)
                        && !Set.of(ANNOTATIONS, "internal.plan", "internal.lifecycle", "internal.command")
                                .contains(user)))
                .isEmpty();
    }

    @Test
    void countersProfilesAndPrintsDoNotUseEachOther() {
        // given
        Set<String> subjects = Set.of("counter", "profile", "print");

        // then
        assertThat(uses((user, target) -> isInside(target.getPackageName(), BASE)
                        && subjects.contains(subject(user))
                        && subjects.contains(subject(name(target)))
                        && !subject(user).equals(subject(name(target)))))
                .isEmpty();
    }

    /**
     * Verifies that only the class that creates the participants and the running test use them. Others use their
     * interface.
     */
    @Test
    void onlyHostSessionAndRunningTestUseParticipants() {
        // then
        assertThat(classes.stream()
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .filter(use -> !name(use.getOriginClass()).startsWith("internal.participant")
                                && use.getTargetClass().isAssignableTo(Participant.class)
                                && !use.getTargetClass().isEquivalentTo(Participant.class))
                        .map(use -> use.getOriginClass().getSimpleName())
                        .distinct())
                .containsExactlyInAnyOrder("HostSession", "RunningTest");
    }

    @Test
    void foundationPackagesUseNoLibrary() {
        // then
        assertThat(uses((user, target) -> WITHOUT_LIBRARIES.contains(user)
                        && !target.isPrimitive()
                        && !isInside(target.getPackageName(), "java")
                        && !isInside(target.getPackageName(), BASE)
                        && !MARKERS.contains(target.getPackageName())))
                .isEmpty();
    }

    /**
     * Verifies that messages escape names, paths and lines of programs, which may contain a line feed and a command for
     * a CI server.
     */
    @Test
    void exceptionMessagesUseVisibleText() {
        // given
        List<JavaClass> exceptions = classes.stream()
                .filter(type -> type.isAssignableTo(Throwable.class))
                .filter(type -> !isInside(type.getRawSuperclass().orElseThrow().getPackageName(), BASE))
                .filter(type -> !PRINTED_BY_COMMAND.contains(subject(name(type))) && !isOfFake(name(type)))
                .filter(type -> !CARRIERS.contains(type.getSimpleName()))
                .toList();

        // then
        assertThat(exceptions)
                .hasSizeGreaterThan(20)
                .allSatisfy(type -> assertThat(type.getMethodCallsFromSelf())
                        .as(type.getName())
                        .anyMatch(call -> call.getTargetOwner().isEquivalentTo(VisibleText.class)));
    }

    @Test
    void onlyMisuseCreatesConfigurationExceptions() {
        // then
        assertThat(classes.stream()
                        .flatMap(type -> type.getConstructorCallsFromSelf().stream())
                        .filter(call -> call.getTargetOwner().isEquivalentTo(ExtensionConfigurationException.class))
                        .map(call -> call.getOriginOwner().getSimpleName())
                        .distinct())
                .containsExactly("Misuse");
    }

    @Test
    void onlyExtensionAndRunCommandUseJUnit() {
        // then
        assertThat(usesOf("org.junit", ANNOTATIONS, "internal.plan", "internal.lifecycle", "internal.command.run"))
                .isEmpty();
    }

    @Test
    void onlyPlatformUsesFake() {
        // then
        assertThat(uses((user, target) -> isInside(target.getPackageName(), FAKE)
                        && !isOfFake(user)
                        && !user.equals("internal.platform")))
                .isEmpty();
    }

    @Test
    void fakeUsesJnaOnlyInFusePackage() {
        // then
        assertThat(uses((user, target) -> isOfFake(user)
                        && !user.equals("internal.fake.fuse")
                        && isInside(target.getPackageName(), "com.sun.jna")))
                .isEmpty();
    }

    @Test
    void onlyAssertionsUseAssertJ() {
        // then
        assertThat(usesOf("org.assertj", "assertj")).isEmpty();
    }

    @Test
    void onlyLifecyclePackageUsesAllure() {
        // then
        assertThat(usesOf("io.qameta.allure", "internal.lifecycle")).isEmpty();
    }

    @Test
    void onlyJsonPackageAndSystemToolsUseJsonFactory() {
        // then
        assertThat(uses((user, target) -> target.getSimpleName().equals("JsonFactory")
                        && !user.equals("internal.json")
                        && !user.equals("internal.fake.systemtool")))
                .isEmpty();
    }

    @Test
    void onlyPagePackageUsesTemplateEngine() {
        // then
        assertThat(usesOf("com.samskivert", "internal.page")).isEmpty();
    }

    /** Verifies that templates escape everything except the listed markup. */
    @Test
    void templatesInsertOnlyListedMarkupUnescaped() throws IOException {
        // given
        List<String> raw = new ArrayList<>();
        for (String module : List.of("core", "command")) {
            Path resources = Path.of("..", module, "src", "main", "resources");
            try (Stream<Path> files = Files.walk(resources)) {
                for (Path file : files.filter(each -> each.toString().endsWith(".mustache"))
                        .toList()) {
                    Pattern.compile("\\{\\{(\\{|&)\\s*(.*?)\\s*}")
                            .matcher(Files.readString(file))
                            .results()
                            .forEach(found -> raw.add(file.getFileName() + " " + found.group(2)));
                }
            }
        }

        // then
        assertThat(raw)
                .containsOnly(
                        "frame.mustache style",
                        "frame.mustache styleDigest",
                        "frame.mustache script",
                        "frame.mustache scriptDigest",
                        "report.mustache markup");
    }

    @Test
    void onlyCommandsUsePicocli() {
        // then
        assertThat(usesOf("picocli", "internal.command", "internal.fake.command"))
                .isEmpty();
    }

    @Test
    void everyPackageIsNullMarked() {
        // then
        assertThat(classes.stream().map(JavaClass::getPackage).distinct())
                .allSatisfy(each -> assertThat(each.isAnnotatedWith(NullMarked.class))
                        .as(each.getName())
                        .isTrue());
    }

    @Test
    void everyPublicTypeHasApiAnnotation() {
        // then
        assertThat(classes.stream()
                        .filter(JavaClass::isTopLevelClass)
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(type -> !type.isAnnotatedWith(API.class))
                        .map(JavaClass::getName))
                .isEmpty();
    }

    @Test
    void simpleNamesOfExtensionTypesAreUnique() {
        // then
        assertThat(classes.stream()
                        .filter(JavaClass::isTopLevelClass)
                        .filter(type -> !type.getSimpleName().equals("package-info") && !isOfFake(name(type)))
                        .collect(groupingBy(JavaClass::getSimpleName, mapping(JavaClass::getName, toSet())))
                        .values())
                .hasSizeGreaterThan(500)
                .filteredOn(types -> types.size() > 1)
                .isEmpty();
    }

    @Test
    void noTypeIsNamedUtilHelperManagerOrImpl() {
        // then
        assertThat(classes.stream()
                        .map(JavaClass::getSimpleName)
                        .filter(name -> name.matches(".*(Util|Utils|Helper|Helpers|Manager|Impl)")))
                .isEmpty();
    }
}
