package dev.neurontest.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.Extension;

class OldJUnitTest {

    @Test
    void messageNamesFoundAndRequiredVersionsAndSettings() {
        // when
        String message = new OldJUnit("junit-jupiter-api 5.12.2").message();

        // then
        assertThat(message).isEqualTo("""
                        Neuron tests need JUnit 5.14 or later, or JUnit 6. JUnit here is junit-jupiter-api 5.12.2. Set the version of all of JUnit, for example to 5.14.4:
                          Spring Boot with Maven:  <junit-jupiter.version>5.14.4</junit-jupiter.version> in <properties>
                          Spring Boot with Gradle: ext['junit-jupiter.version'] = '5.14.4'
                          Maven:                   org.junit:junit-bom:5.14.4, type pom, scope import, in <dependencyManagement> before other BOMs
                          Gradle:                  testImplementation(platform("org.junit:junit-bom:5.14.4"))
                        Tests without Neuron run with any JUnit.""");
    }

    @Test
    void readsNameAndVersionFromJar() {
        // when
        String origin = OldJUnit.origin(Extension.class);

        // then
        assertThat(origin).matches("junit-jupiter-api [56]\\.[0-9]+\\.[0-9]+");
    }

    @Test
    void readsNameAndVersionFromModule() {
        // when
        String origin = OldJUnit.origin(String.class);

        // then
        assertThat(origin).startsWith("java.base " + Runtime.version().feature());
    }

    @Test
    void reportsUnknownVersion() {
        // when
        String origin = OldJUnit.origin(Assertions.class);

        // then
        assertThat(origin).isEqualTo("of an unknown version");
    }

    @Test
    void acceptsCurrentJUnit() {
        assertThatCode(OldJUnit::refuse).doesNotThrowAnyException();
    }
}
