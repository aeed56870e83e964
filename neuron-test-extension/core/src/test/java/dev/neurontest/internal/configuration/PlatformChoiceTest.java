package dev.neurontest.internal.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.internal.configuration.PlatformChoice.Fake;
import dev.neurontest.internal.configuration.PlatformChoice.Hardware;
import dev.neurontest.internal.configuration.PlatformChoice.Replay;
import dev.neurontest.internal.configuration.PlatformChoice.Root;
import dev.neurontest.internal.configuration.PlatformChoice.Timeline;
import dev.neurontest.internal.configuration.PlatformChoice.User;
import dev.neurontest.internal.configuration.PlatformChoice.View;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PlatformChoiceTest {

    static Stream<Arguments> choices() {
        return Stream.of(
                Arguments.of("auto", new Hardware(false)),
                Arguments.of("real", new Hardware(true)),
                Arguments.of("REAL", new Hardware(true)),
                Arguments.of(
                        "fake:trn1.2xlarge", new Fake("trn1.2xlarge", Optional.empty(), View.IN_PROCESS, User.ROOT)),
                Arguments.of(
                        "fake:trn1.2xlarge?", new Fake("trn1.2xlarge", Optional.empty(), View.IN_PROCESS, User.ROOT)),
                Arguments.of(
                        "fake:inf2.xlarge@driver-2.28",
                        new Fake("inf2.xlarge", Optional.of("driver-2.28"), View.IN_PROCESS, User.ROOT)),
                Arguments.of(
                        "fake:trn2.48xlarge?view=directory",
                        new Fake("trn2.48xlarge", Optional.empty(), View.DIRECTORY, User.ROOT)),
                Arguments.of(
                        "fake:trn2.48xlarge?view=fuse",
                        new Fake("trn2.48xlarge", Optional.empty(), View.FUSE, User.ROOT)),
                Arguments.of(
                        "fake:inf2.xlarge@docs-2023?user=ordinary&view=in-process",
                        new Fake("inf2.xlarge", Optional.of("docs-2023"), View.IN_PROCESS, User.ORDINARY)),
                Arguments.of("root:/tmp/host", new Root(Path.of("/tmp/host"))),
                Arguments.of("root:C:/host", new Root(Path.of("C:/host"))),
                Arguments.of("replay:some recording.txt", new Replay(Path.of("some recording.txt"), Timeline.PLAY)),
                Arguments.of("replay:what?.txt?timeline=play", new Replay(Path.of("what?.txt"), Timeline.PLAY)),
                Arguments.of("replay:C:/a.gz?timeline=static", new Replay(Path.of("C:/a.gz"), Timeline.STATIC)));
    }

    @ParameterizedTest
    @MethodSource("choices")
    void parsesEveryForm(String text, PlatformChoice expected) {
        // when
        PlatformChoice choice = PlatformChoice.parse(text);

        // then
        assertThat(choice).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "fake:trn1.2xlarge?view=in-process&user=root, fake:trn1.2xlarge",
        "fake:trn1.2xlarge?user=ordinary&view=in-process, fake:trn1.2xlarge?user=ordinary",
        "fake:trn1.2xlarge@driver-2.30?user=root&view=fuse, fake:trn1.2xlarge@driver-2.30?view=fuse",
        "fake:trn1.2xlarge?user=ordinary&view=directory, fake:trn1.2xlarge?view=directory&user=ordinary"
    })
    void printsOnlyNonDefaultOptionsOfFake(String text, String printed) {
        assertThat(PlatformChoice.parse(text)).hasToString(printed);
    }

    @ParameterizedTest
    @MethodSource("choices")
    void printedFormParsesBackEqual(String text, PlatformChoice choice) {
        // when
        String printed = choice.toString();

        // then
        assertThat(PlatformChoice.parse(printed)).isEqualTo(choice);
    }

    @Test
    void onlyFakeWithoutFileViewIsInProcess() {
        // when, then
        assertThat(PlatformChoice.parse("fake:trn1.2xlarge").inProcess()).isTrue();
        assertThat(PlatformChoice.parse("fake:trn1.2xlarge?view=directory").inProcess())
                .isFalse();
        assertThat(PlatformChoice.parse("fake:trn1.2xlarge?view=fuse").inProcess())
                .isFalse();
        assertThat(PlatformChoice.parse("root:/host").inProcess()).isFalse();
        assertThat(PlatformChoice.parse("auto").inProcess()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hardware | unknown platform \"hardware\", known are auto, real, fake, root, replay",
                "fak:trn1.2xlarge | unknown platform \"fak\", did you mean \"fake\"?",
                "auto:1 | nothing is allowed after auto",
                "fake | no instance type after fake:, write for example fake:trn1.2xlarge",
                "fake:@driver-2.30 | no instance type after fake:, write for example fake:trn1.2xlarge",
                "fake:trn1.2xlarge@ | no layout after @, write for example @driver-2.30 or remove the @",
                "fake:trn1.2xlarge?veiw=directory | unknown option \"veiw\", did you mean \"view\"?",
                "fake:trn1.2xlarge?speed=9 | unknown option \"speed\", known are view, user",
                "fake:trn1.2xlarge?view=cuse | unknown view \"cuse\", did you mean \"fuse\"?",
                "fake:trn1.2xlarge?view=sysfs | unknown view \"sysfs\", known are in-process, directory, fuse",
                "fake:trn1.2xlarge?view=dirctory | unknown view \"dirctory\", did you mean \"directory\"?",
                "fake:trn1.2xlarge?user=root&user=ordinary | the option user occurs twice",
                "root: | no directory after root:",
                "replay | no file after replay:",
                "replay:a.txt?timelin=static | unknown option \"timelin\", did you mean \"timeline\"?",
                "replay:a.txt?timeline=fast | unknown timeline \"fast\", known are play, static",
            })
    void namesUnintelligiblePart(String text, String problem) {
        // when, then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlatformChoice.parse(text))
                .withMessage(problem);
    }

    @Test
    void refusesDirectoryThatIsNoPath() {
        // when, then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlatformChoice.parse("root:a\0b"))
                .withMessageStartingWith("the directory is not a path: ");
    }
}
