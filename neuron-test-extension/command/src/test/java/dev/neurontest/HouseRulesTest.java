package dev.neurontest;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.neurontest.command.NeuronTestCommand;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.host.HostTree;
import dev.neurontest.text.VisibleText;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** The rooms of the extension, and which may use which. A new package is written down here first. */
class HouseRulesTest {

    private static final String HOUSE = "dev.neurontest";
    private static final String FAKE = HOUSE + ".fake";
    private static final String LOBBY = "";

    private static final Set<String> EVERYTHING = Set.of("*");

    private static final long LARGEST_ROOM = 25;

    /** Each room with those whose types it may use, beside those for files, text, threads and JSON; what these may use comes along. */
    private static final Map<String, Set<String>> ROOMS = new TreeMap<>(Map.ofEntries(
            Map.entry(LOBBY, EVERYTHING),
            Map.entry("configuration", Set.of()),
            Map.entry("file", Set.of("text")),
            Map.entry("json", Set.of()),
            Map.entry("text", Set.of()),
            Map.entry("thread", Set.of()),
            Map.entry("folder", Set.of()),
            Map.entry("host", Set.of()),
            Map.entry("archive", Set.of("host")),
            Map.entry("status", Set.of()),
            Map.entry("device", Set.of("host", "status")),
            Map.entry("device.driver", Set.of("device")),
            Map.entry("device.kernel", Set.of("device", "process", "status")),
            Map.entry("device.runtime", Set.of("device")),
            Map.entry("platform", Set.of("device", "configuration", "folder")),
            Map.entry("shard", Set.of("configuration")),
            Map.entry("lease", Set.of("device", "process")),
            Map.entry("lease.store", Set.of("lease")),
            Map.entry("lease.table", Set.of("lease.store", "configuration", "process.orphan")),
            Map.entry("metric", Set.of()),
            Map.entry("page", Set.of()),
            Map.entry("recording", Set.of("device", "metric")),
            Map.entry("counter.tree", Set.of("device.driver")),
            Map.entry("counter", Set.of("counter.tree", "recording")),
            Map.entry("counter.rule", Set.of("counter")),
            Map.entry("counter.wait", Set.of("counter.rule")),
            Map.entry("neff", Set.of()),
            Map.entry("profile.ntff", Set.of("neff")),
            Map.entry("profile.table", Set.of("metric", "folder")),
            Map.entry("profile", Set.of("recording", "profile.ntff", "profile.table", "status")),
            Map.entry("profile.summary", Set.of("profile")),
            Map.entry("profile.threshold", Set.of("profile.event")),
            Map.entry("profile.report", Set.of("profile.threshold", "page")),
            Map.entry("profile.tool", Set.of("profile", "device.runtime", "process")),
            Map.entry("profile.capture", Set.of("profile.summary", "profile.tool")),
            Map.entry("profile.event", Set.of("profile.summary")),
            Map.entry("profile.explain", Set.of("profile", "profile.event", "page", "process")),
            Map.entry("tensor", Set.of()),
            Map.entry("print", Set.of("recording", "tensor", "page")),
            Map.entry("print.stream", Set.of("print", "runtime", "folder")),
            Map.entry("print.child", Set.of("print.stream", "configuration")),
            Map.entry("process", Set.of()),
            Map.entry("process.orphan", Set.of("process")),
            Map.entry("runtime.library", Set.of("folder")),
            Map.entry("runtime.stream", Set.of("runtime.library")),
            Map.entry("runtime.watch", Set.of("device", "status")),
            Map.entry("runtime", Set.of("runtime.stream", "runtime.watch", "device.runtime", "tensor", "neff")),
            Map.entry("workload", Set.of("process", "device.runtime", "recording", "status")),
            Map.entry("baseline.statistics", Set.of("metric")),
            Map.entry("baseline", Set.of("baseline.statistics")),
            Map.entry("baseline.history", Set.of("baseline", "configuration")),
            Map.entry("evidence", Set.of("recording", "process")),
            Map.entry("life.lease", Set.of("lease.table", "evidence")),
            Map.entry("life", Set.of("life.lease", "status")),
            Map.entry("life.host", Set.of("life.lease", "platform", "counter.wait", "device.kernel", "profile.tool")),
            Map.entry("life.counter", Set.of("life", "life.host")),
            Map.entry("life.workload", Set.of("life", "platform", "workload")),
            Map.entry("life.runtime", Set.of("life", "platform", "runtime", "print.stream")),
            Map.entry("life.print", Set.of("life.runtime", "print.child", "workload")),
            Map.entry("life.profile", Set.of("life", "platform", "profile.capture", "profile.event", "profile.report")),
            Map.entry(
                    "life.comparison",
                    Set.of("life", "baseline.history", "counter", "profile.threshold", "profile.explain")),
            Map.entry("life.replay", Set.of("life.counter", "archive")),
            Map.entry("assertj", Set.of("counter.rule", "profile.report", "profile.event", "print", "tensor")),
            Map.entry("report", Set.of("evidence", "baseline", "configuration", "counter")),
            Map.entry("report.merge", Set.of("report", "print.stream")),
            Map.entry("terminal", Set.of("configuration")),
            Map.entry("report.format", Set.of("report")),
            Map.entry("report.compare", Set.of("report.format", "profile")),
            Map.entry("report.show", Set.of("report.compare", "terminal", "page")),
            Map.entry("report.page", Set.of("report.show", "page")),
            Map.entry("gate", Set.of("report", "configuration")),
            Map.entry("export", Set.of("report")),
            Map.entry(
                    "command.doctor",
                    Set.of(
                            "platform",
                            "device.kernel",
                            "lease.table",
                            "counter.rule",
                            "profile.capture",
                            "runtime",
                            "terminal")),
            Map.entry("command.run", Set.of("folder", "page", "process", "terminal")),
            Map.entry("command", EVERYTHING)));

    /** Each room of the fake with those whose types it may use; it knows nothing of the extension. */
    private static final Map<String, Set<String>> FAKE_ROOMS = Map.ofEntries(
            Map.entry("fake", EVERYTHING),
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
            Map.entry("fake.profiler.call", Set.of("fake.help", "fake.neff")),
            Map.entry("fake.profiler.capture", Set.of("fake.profiler.call", "fake.profiler.ntff")),
            Map.entry("fake.profiler.ntff", Set.of("fake.neff")),
            Map.entry("fake.profiler.table", Set.of("fake.profiler.call")),
            Map.entry("fake.profiler.view", Set.of("fake.profiler.ntff", "fake.profiler.table")),
            Map.entry("fake.runtime", Set.of()),
            Map.entry("fake.tree", Set.of("fake.tree.layout", "fake.driver")),
            Map.entry("fake.tree.directory", Set.of("fake.folder", "fake.tree")),
            Map.entry("fake.tree.layout", Set.of("fake.archive", "fake.driver.instance")));

    static {
        ROOMS.putAll(FAKE_ROOMS);
    }

    /** Rooms that know nothing but the JDK. */
    private static final Set<String> BARE =
            Set.of("configuration", "file", "folder", "host", "metric", "neff", "process", "tensor", "text", "thread");

    /** Exceptions whose message goes into that of another, or comes from another. */
    private static final Set<String> CARRIERS =
            Set.of("RefusedException", "PlantedFileException", "MalformedSlotException", "NotCalled", "Broken");

    /** Everything that the command prints is made visible where it is printed. */
    private static final Set<String> PRINTED_BY_COMMAND = Set.of("command", "gate", "report", "export");

    private static final Set<String> ANNOTATIONS = Set.of("org.jspecify.annotations", "org.apiguardian.api");

    private static JavaClasses classes;

    @BeforeAll
    static void importMainClasses() {
        List<URL> modules = Stream.of(HostTree.class, NeuronTest.class, NeuronTestCommand.class, FakeNeuronHost.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .toList();
        assertThat(modules).as("core, junit, command, fake").doesNotHaveDuplicates();
        classes = new ClassFileImporter().importUrls(modules);
        assertThat(classes).extracting(HouseRulesTest::room).contains("host", LOBBY, "command");
    }

    private static String room(JavaClass type) {
        String name = type.getPackageName();
        return name.equals(HOUSE) ? LOBBY : name.substring(HOUSE.length() + 1);
    }

    /** A wing may have rooms of its own: {@code profile.event} belongs to {@code profile}. */
    private static String wing(String room) {
        return room.split("\\.", 2)[0];
    }

    private static boolean isOfFake(String room) {
        return wing(room).equals("fake");
    }

    private static boolean isInside(String packageName, String parent) {
        return packageName.equals(parent) || packageName.startsWith(parent + ".");
    }

    private static Set<String> usable(String room) {
        Set<String> usable =
                new TreeSet<>(isOfFake(room) ? List.of(room) : List.of(room, "file", "json", "text", "thread"));
        List<String> open = new ArrayList<>(usable);
        while (!open.isEmpty()) {
            for (String next : ROOMS.getOrDefault(open.remove(0), Set.of())) {
                if (usable.add(next)) {
                    open.add(next);
                }
            }
        }
        return usable;
    }

    /** Every use of one class by another that the rule forbids. */
    private static List<String> uses(BiPredicate<String, JavaClass> forbidden) {
        return classes.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(use -> forbidden.test(
                        room(use.getOriginClass()), use.getTargetClass().getBaseComponentType()))
                .map(Dependency::getDescription)
                .toList();
    }

    private static List<String> usesOf(String packageName, String... byOtherThan) {
        return uses((room, target) -> isInside(target.getPackageName(), packageName)
                && !Arrays.asList(byOtherThan).contains(room));
    }

    @Test
    void everyPackageIsARoom() {
        // then
        assertThat(classes.stream().map(HouseRulesTest::room).distinct().toList())
                .isSubsetOf(ROOMS.keySet());
    }

    @Test
    void everyRoomThatMayBeUsedIsInTheTable() {
        // then
        assertThat(ROOMS.values().stream().flatMap(Set::stream).filter(room -> !EVERYTHING.contains(room)))
                .isSubsetOf(ROOMS.keySet());
    }

    @Test
    void roomsUseOnlyThoseTheyMay() {
        // then
        assertThat(uses((room, target) -> isInside(target.getPackageName(), HOUSE)
                        && (isOfFake(room) || !isInside(target.getPackageName(), FAKE))
                        && !usable(room).contains("*")
                        && !usable(room).contains(room(target))))
                .isEmpty();
    }

    @Test
    void theLobbyIsUsedByTheCommandAlone() {
        // then
        assertThat(uses((room, target) -> target.getPackageName().equals(HOUSE)
                        && !Set.of(LOBBY, "command").contains(room)))
                .isEmpty();
    }

    @Test
    void wingsDoNotKnowEachOther() {
        // given
        Set<String> wings = Set.of("counter", "profile", "print");

        // then
        assertThat(ROOMS.keySet())
                .filteredOn(room -> wings.contains(wing(room)))
                .allSatisfy(room -> assertThat(usable(room))
                        .extracting(HouseRulesTest::wing)
                        .filteredOn(wings::contains)
                        .containsOnly(wing(room)));
    }

    @Test
    void theLifeOfATestKnowsNoneThatTakesPartInIt() {
        // then
        assertThat(usable("life")).doesNotContain("counter", "profile", "print", "runtime", "workload", "baseline");
    }

    /** The lobby has what tests import, of which there may be more. */
    @Test
    void roomsAreSmall() {
        // then
        assertThat(classes.stream()
                        .filter(JavaClass::isTopLevelClass)
                        .filter(type -> !type.getSimpleName().equals("package-info"))
                        .map(HouseRulesTest::room)
                        .filter(room -> !Set.of(LOBBY, "fake").contains(room))
                        .collect(groupingBy(identity(), counting())))
                .isNotEmpty()
                .allSatisfy((room, types) -> assertThat(types).as(room).isLessThanOrEqualTo(LARGEST_ROOM));
    }

    @Test
    void noRoomIsUsedByWhatItUses() {
        // given
        Map<String, Set<String>> used = classes.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(use -> isInside(use.getTargetClass().getPackageName(), HOUSE))
                .filter(use -> !room(use.getOriginClass()).equals(room(use.getTargetClass())))
                .collect(groupingBy(
                        use -> room(use.getOriginClass()), mapping(use -> room(use.getTargetClass()), toSet())));

        // then
        assertThat(used.keySet()).allSatisfy(room -> {
            Set<String> below = new TreeSet<>(used.get(room));
            List<String> open = new ArrayList<>(below);
            while (!open.isEmpty()) {
                used.getOrDefault(open.remove(0), Set.of()).stream()
                        .filter(below::add)
                        .forEach(open::add);
            }
            assertThat(below)
                    .as("used by \"%s\", directly or through others", room)
                    .doesNotContain(room);
        });
    }

    @Test
    void theFoundationUsesNothingButTheJdk() {
        // then
        assertThat(uses((room, target) -> BARE.contains(room)
                        && !target.isPrimitive()
                        && !isInside(target.getPackageName(), "java")
                        && !isInside(target.getPackageName(), HOUSE)
                        && !ANNOTATIONS.contains(target.getPackageName())))
                .isEmpty();
    }

    /** A name, a path or a line of a program in them may hold a line feed, and after it a command of a server of CI. */
    @Test
    void messagesOfExceptionsAreVisible() {
        // given
        List<JavaClass> exceptions = classes.stream()
                .filter(type -> type.isAssignableTo(Throwable.class))
                .filter(type -> !isInside(type.getRawSuperclass().orElseThrow().getPackageName(), HOUSE))
                .filter(type -> !PRINTED_BY_COMMAND.contains(wing(room(type))) && !isOfFake(room(type)))
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
    void mistakesInTestsAreVisible() {
        // then
        assertThat(classes.stream()
                        .flatMap(type -> type.getConstructorCallsFromSelf().stream())
                        .filter(call -> call.getTargetOwner().isEquivalentTo(ExtensionConfigurationException.class))
                        .map(call -> call.getOriginOwner().getSimpleName())
                        .distinct())
                .containsExactly("Misuse");
    }

    @Test
    void onlyTheLobbyAndTheTestsOfTheCommandKnowJUnit() {
        // then
        assertThat(usesOf("org.junit", LOBBY, "command.run")).isEmpty();
    }

    @Test
    void onlyThePlatformKnowsTheFake() {
        // then
        assertThat(uses((room, target) ->
                        isInside(target.getPackageName(), FAKE) && !isOfFake(room) && !room.equals("platform")))
                .isEmpty();
    }

    @Test
    void theFakeKnowsJnaOnlyWhereItMounts() {
        // then
        assertThat(uses((room, target) -> isOfFake(room)
                        && !room.equals("fake.fuse")
                        && isInside(target.getPackageName(), "com.sun.jna")))
                .isEmpty();
    }

    @Test
    void onlyTheAssertionsKnowAssertJ() {
        // then
        assertThat(usesOf("org.assertj", "assertj")).isEmpty();
    }

    @Test
    void onlyTheLobbyKnowsAllure() {
        // then
        assertThat(usesOf("io.qameta.allure", LOBBY)).isEmpty();
    }

    @Test
    void onlyTheRoomForJsonMakesItsReadersAndWriters() {
        // then
        assertThat(uses((room, target) -> target.getSimpleName().equals("JsonFactory") && !room.equals("json")))
                .isEmpty();
    }

    @Test
    void onlyTheRoomForPagesKnowsTheTemplates() {
        // then
        assertThat(usesOf("com.samskivert", "page")).isEmpty();
    }

    /** Whatever else a template takes is escaped. */
    @Test
    void templatesTakeOnlyMarkupOfTheirOwnUnescaped() throws IOException {
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
    void onlyTheCommandKnowsPicocli() {
        // then
        assertThat(usesOf("picocli", "command", "fake.command")).isEmpty();
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
    void everyPublicTypeSaysHowStableItIs() {
        // then
        assertThat(classes.stream()
                        .filter(JavaClass::isTopLevelClass)
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(type -> !type.isAnnotatedWith(API.class))
                        .map(JavaClass::getName))
                .isEmpty();
    }

    @Test
    void namesSayWhatThingsAre() {
        // then
        assertThat(classes.stream()
                        .map(JavaClass::getSimpleName)
                        .filter(name -> name.matches(".*(Util|Utils|Helper|Helpers|Manager|Impl)")))
                .isEmpty();
    }
}
