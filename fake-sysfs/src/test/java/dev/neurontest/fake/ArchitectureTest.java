package dev.neurontest.fake;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Test;

/** Who may know whom. */
class ArchitectureTest {

    private static final String FAKE = "dev.neurontest.fake";

    /** The words of the lobby that views speak in too. */
    private static final Set<Class<?>> VOCABULARY = Set.of(
            Errno.class,
            FakeAccess.class,
            FakeDescriptor.class,
            FakeEntry.class,
            FakeEntry.Type.class,
            FakeErrnoException.class,
            FakeFile.class,
            FakeReader.class,
            FakeTree.class);

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(FAKE);

    @Test
    void fakeKnowsNeitherJUnitNorTheExtension() {
        assertThat(CLASSES).isNotEmpty();
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.junit..", "org.opentest4j..", "org.assertj..")
                .orShould()
                .dependOnClassesThat(resideInAPackage("dev.neurontest..").and(resideOutsideOfPackage(FAKE + "..")))
                .check(CLASSES);
    }

    @Test
    void driverKnowsNobody() {
        noClasses()
                .that()
                .resideInAPackage(FAKE + ".driver")
                .should()
                .dependOnClassesThat(resideInAPackage(FAKE + "..").and(resideOutsideOfPackage(FAKE + ".driver")))
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaClass> vocabulary() {
        return DescribedPredicate.describe(
                "vocabulary",
                type -> VOCABULARY.stream().anyMatch(word -> word.getName().equals(type.getName())));
    }

    @Test
    void archiveKnowsTheVocabularyOfTheLobbyAlone() {
        noClasses()
                .that()
                .resideInAPackage(FAKE + ".archive")
                .should()
                .dependOnClassesThat(resideInAPackage(FAKE + "..")
                        .and(resideOutsideOfPackage(FAKE + ".archive"))
                        .and(DescribedPredicate.not(vocabulary())))
                .check(CLASSES);
    }

    @Test
    void treeKnowsTheDriverArchivesAndTheVocabularyOfTheLobby() {
        noClasses()
                .that()
                .resideInAPackage(FAKE + ".tree")
                .should()
                .dependOnClassesThat(resideInAPackage(FAKE + "..")
                        .and(resideOutsideOfPackage(FAKE + ".tree"))
                        .and(resideOutsideOfPackage(FAKE + ".driver"))
                        .and(resideOutsideOfPackage(FAKE + ".archive"))
                        .and(resideOutsideOfPackage(FAKE + ".mounts"))
                        .and(DescribedPredicate.not(vocabulary())))
                .check(CLASSES);
    }

    @Test
    void mountKnowsTheVocabularyOfTheLobbyAlone() {
        noClasses()
                .that()
                .resideInAPackage(FAKE + ".fuse")
                .should()
                .dependOnClassesThat(resideInAPackage(FAKE + "..")
                        .and(resideOutsideOfPackage(FAKE + ".fuse.."))
                        .and(resideOutsideOfPackage(FAKE + ".mounts"))
                        .and(DescribedPredicate.not(vocabulary())))
                .check(CLASSES);
    }

    @Test
    void messagesOfTheMountStandAlone() {
        noClasses()
                .that()
                .resideInAPackage(FAKE + ".fuse.protocol")
                .should()
                .dependOnClassesThat(resideInAPackage(FAKE + "..").and(resideOutsideOfPackage(FAKE + ".fuse.protocol")))
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("com.sun.jna..")
                .check(CLASSES);
    }

    @Test
    void profilerKnowsTheHostByItsSocketAlone() {
        DescribedPredicate<JavaClass> vocabulary =
                DescribedPredicate.describe("statuses", type -> type.isEquivalentTo(NrtStatus.class));
        noClasses()
                .that()
                .resideInAPackage(FAKE + ".profiler")
                .should()
                .dependOnClassesThat(resideInAPackage(FAKE + "..")
                        .and(resideOutsideOfPackage(FAKE + ".profiler"))
                        .and(DescribedPredicate.not(vocabulary)))
                .check(CLASSES);
    }

    @Test
    void runtimeRoomKnowsNobody() {
        noClasses()
                .that()
                .resideInAPackage(FAKE + ".runtime")
                .should()
                .dependOnClassesThat(resideInAPackage(FAKE + "..").and(resideOutsideOfPackage(FAKE + ".runtime")))
                .check(CLASSES);
    }

    @Test
    void everyPublicTypeSaysHowStableItIs() {
        classes()
                .that()
                .arePublic()
                .and()
                .areNotMemberClasses()
                .should()
                .beAnnotatedWith(API.class)
                .check(CLASSES);
    }
}
