package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NeuronTestCommandTest {

    @Test
    void helpShowsFirstSteps() {
        // when
        CommandFixture help = CommandFixture.run("--help");

        // then
        assertThat(help.status()).isZero();
        assertThat(help.out()).contains("Begin with:", "neuron-test doctor", "generate-completion", "0 on success");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "doctor", "report", "baseline", "snapshot", "diff", "explain", "record", "fake"})
    void helpsWithEachCommand(String command) {
        // when
        CommandFixture help = CommandFixture.run(command, "--help");

        // then
        assertThat(help.status()).isZero();
        assertThat(help.out()).startsWith("Usage: neuron-test " + command);
    }

    @Test
    void suggestsTheCommandThatWasMeant() {
        // when
        CommandFixture typo = CommandFixture.run("doktor");

        // then
        assertThat(typo.status()).isEqualTo(2);
        assertThat(typo.err())
                .contains("Unmatched argument at index 0: 'doktor'")
                .contains("Did you mean: neuron-test doctor")
                .contains("See 'neuron-test --help'.");
    }

    @Test
    void completesCommandsAndOptions() {
        // when
        CommandFixture completion = CommandFixture.run("generate-completion");

        // then
        assertThat(completion.out())
                .contains("complete ")
                .contains("--scan-class-path")
                .contains("doctor");
    }

    @Test
    void printsErrorWithoutStackTrace() {
        // when
        CommandFixture wrong = CommandFixture.run("diff", "none.json", "none.json");

        // then
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err())
                .isEqualTo("none.json: there is no such file or folder. 'neuron-test snapshot -o FILE' writes one.%n"
                        .formatted());
    }

    @Test
    void printsStackTraceWithOption() {
        // when
        CommandFixture wrong = CommandFixture.run("diff", "none.json", "none.json", "--stacktrace");

        // then
        assertThat(wrong.err())
                .contains("none.json: there is no such file or folder.")
                .contains("\tat ");
    }

    @Test
    void includesFakeCommand() {
        // when
        CommandFixture fake = CommandFixture.run("fake", "list");

        // then
        assertThat(fake.status()).isZero();
        assertThat(fake.out()).contains("trn1.32xlarge");
    }
}
