package dev.neurontest.internal.maven;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Tests of the uses of other packages. The rules of all other packages are tested in the module {@code command}, which is built before. */
class PluginPackageTest {

    @Test
    void pluginUsesOnlyCommandAndSettings() {
        // then
        assertThat(new ClassFileImporter()
                                .importUrl(GateMojo.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation())
                                .stream()
                                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                                .map(use -> use.getTargetClass().getPackageName())
                                .filter(name -> name.startsWith("dev.neurontest"))
                                .distinct())
                .containsExactlyInAnyOrder(
                        "dev.neurontest.internal.command",
                        "dev.neurontest.internal.configuration",
                        "dev.neurontest.internal.maven");
    }
}
