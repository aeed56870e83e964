package dev.neurontest.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.evidence.TestId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RerunTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "[engine:junit-jupiter]/[class:a.BTest]/[method:c()] | mvn test '-Dtest=a.BTest#c'",
                "[engine:junit-jupiter]/[class:a.BTest]/[nested-class:In]/[nested-class:Deep]/[method:c(int)] | mvn test '-Dtest=a.BTest$In$Deep#c'",
                "[engine:junit-jupiter]/[class:a.BTest]/[test-template:c(int)]/[test-template-invocation:#3] | mvn test '-Dtest=a.BTest#c'",
                "[engine:junit-jupiter]/[class:a.BTest]/[test-factory:c()]/[dynamic-test:#1] | mvn test '-Dtest=a.BTest#c'",
                "[engine:junit-jupiter]/[class-template:a.BTest]/[class-template-invocation:#1]/[method:c()] | mvn test '-Dtest=a.BTest#c'",
                "[engine:junit-jupiter]/[class:a.BTest] | mvn test '-Dtest=a.BTest'",
                "[engine:spock]/[spec:a.BSpec] | \"\""
            })
    void namesTheClassAndTheMethod(String id, String command) {
        // then
        assertThat(Rerun.command(new TestId(id, "display name"))).isEqualTo(command);
    }
}
