package dev.neurontest.fake;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rooms of the fake, and which rooms each may use. A new package is written down here first. */
class ArchitectureTest {

    private static final String HOUSE = "dev.neurontest";
    private static final String FAKE = HOUSE + ".fake";
    private static final String LOBBY = "";
    private static final int MOST_TYPES = 25;

    private static final Set<String> EVERYTHING = Set.of("*");

    /** Each room with those whose types it may use. */
    private static final Map<String, Set<String>> ROOMS = new TreeMap<>(Map.ofEntries(
            Map.entry(LOBBY, EVERYTHING),
            Map.entry("archive", Set.of("files")),
            Map.entry("command", EVERYTHING),
            Map.entry("control", Set.of("folder", "help")),
            Map.entry("driver", Set.of("driver.instance")),
            Map.entry("driver.instance", Set.of()),
            Map.entry("files", Set.of()),
            Map.entry("folder", Set.of("mounts")),
            Map.entry("fuse", Set.of("folder", "fuse.protocol", "files", "mounts")),
            Map.entry("fuse.protocol", Set.of()),
            Map.entry("help", Set.of()),
            Map.entry("mounts", Set.of()),
            Map.entry("neff", Set.of("files")),
            Map.entry("profiler", Set.of("help", "profiler.call", "profiler.capture", "profiler.view")),
            Map.entry("profiler.call", Set.of("help", "neff")),
            Map.entry("profiler.capture", Set.of("profiler.call", "profiler.ntff", "neff", "files")),
            Map.entry("profiler.ntff", Set.of("neff", "files")),
            Map.entry("profiler.table", Set.of("profiler.call")),
            Map.entry("profiler.view", Set.of("profiler.call", "profiler.ntff", "profiler.table", "neff")),
            Map.entry("runtime", Set.of()),
            Map.entry("tree", Set.of("tree.layout", "archive", "driver", "driver.instance", "files")),
            Map.entry("tree.directory", Set.of("folder", "tree", "tree.layout", "driver", "files")),
            Map.entry("tree.layout", Set.of("archive", "driver.instance"))));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(FAKE);

    private static String room(JavaClass type) {
        String name = type.getPackageName();
        return name.equals(FAKE) ? LOBBY : name.substring(FAKE.length() + 1);
    }

    private static boolean isInside(JavaClass type, String parent) {
        return type.getPackageName().equals(parent) || type.getPackageName().startsWith(parent + ".");
    }

    /** Every use of a class, outside its own room, that is not allowed to a room. */
    private static List<String> uses(Predicate<Dependency> forbidden) {
        return CLASSES.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(forbidden)
                .map(Dependency::getDescription)
                .toList();
    }

    private static JavaClass target(Dependency use) {
        return use.getTargetClass().getBaseComponentType();
    }

    private static List<String> usesOf(String packageName, String... byOtherThan) {
        return uses(use ->
                isInside(target(use), packageName) && !List.of(byOtherThan).contains(room(use.getOriginClass())));
    }

    @Test
    void everyPackageIsARoom() {
        assertThat(CLASSES.stream().map(ArchitectureTest::room).collect(toSet()))
                .containsExactlyInAnyOrderElementsOf(ROOMS.keySet());
    }

    @Test
    void roomsUseOnlyThoseTheyMay() {
        assertThat(uses(use -> {
                    String from = room(use.getOriginClass());
                    Set<String> usable = ROOMS.getOrDefault(from, Set.of());
                    return isInside(target(use), FAKE)
                            && !usable.equals(EVERYTHING)
                            && !room(target(use)).equals(from)
                            && !usable.contains(room(target(use)));
                }))
                .isEmpty();
    }

    /** The lobby holds what users script, and may have more. */
    @Test
    void noRoomHasMoreThan25Types() {
        assertThat(CLASSES.stream()
                        .filter(JavaClass::isTopLevelClass)
                        .filter(type -> !type.getSimpleName().equals("package-info"))
                        .collect(groupingBy(ArchitectureTest::room, mapping(JavaClass::getSimpleName, toSet()))))
                .allSatisfy((room, types) -> assertThat(types)
                        .as(room)
                        .hasSizeLessThanOrEqualTo(room.equals(LOBBY) ? Integer.MAX_VALUE : MOST_TYPES));
    }

    private static Set<String> packagesWithRooms() {
        Set<String> parents = new TreeSet<>();
        for (String room : ROOMS.keySet()) {
            for (int dot = room.lastIndexOf('.'); dot > 0; dot = room.lastIndexOf('.', dot - 1)) {
                parents.add(FAKE + '.' + room.substring(0, dot));
            }
        }
        parents.add(FAKE);
        return parents;
    }

    /** What is in a package itself is one slice, and each room in it, with the rooms in that, is another. */
    @ParameterizedTest
    @MethodSource("packagesWithRooms")
    void noRoomsOfAPackageUseEachOther(String parent) {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        if (!isInside(type, parent)) {
                            return SliceIdentifier.ignore();
                        }
                        String below = type.getPackageName().substring(parent.length());
                        return SliceIdentifier.of(below.isEmpty() ? "itself" : below.split("\\.")[1]);
                    }

                    @Override
                    public String getDescription() {
                        return parent;
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void nothingOfTheFakeKnowsTheExtensionOrATestFramework() {
        assertThat(uses(use -> isInside(target(use), HOUSE) && !isInside(target(use), FAKE)))
                .isEmpty();
        assertThat(List.of("org.junit", "org.opentest4j", "org.assertj"))
                .allSatisfy(framework -> assertThat(usesOf(framework)).isEmpty());
    }

    @Test
    void nothingUsesTheCommand() {
        assertThat(usesOf(FAKE + ".command", "command")).isEmpty();
    }

    @Test
    void onlyTheCommandKnowsPicocli() {
        assertThat(usesOf("picocli", "command")).isEmpty();
    }

    @Test
    void onlyTheMountKnowsJna() {
        assertThat(usesOf("com.sun.jna", "fuse")).isEmpty();
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(CLASSES.stream().map(JavaClass::getPackage).distinct())
                .allSatisfy(each -> assertThat(each.isAnnotatedWith(NullMarked.class))
                        .as(each.getName())
                        .isTrue());
    }

    @Test
    void everyPublicTypeSaysHowStableItIs() {
        assertThat(CLASSES.stream()
                        .filter(JavaClass::isTopLevelClass)
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(type -> !type.isAnnotatedWith(API.class))
                        .map(JavaClass::getName))
                .isEmpty();
    }
}
