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
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PlatformChoiceTest {

    static Stream<Arguments> choices() {
        return Stream.of(
                Arguments.of("auto", new Hardware(false, Optional.empty())),
                Arguments.of("real", new Hardware(true, Optional.empty())),
                Arguments.of("REAL", new Hardware(true, Optional.empty())),
                Arguments.of("fake:trn1.2xlarge", fake("trn1.2xlarge", Optional.empty(), View.IN_PROCESS, User.ROOT)),
                Arguments.of("fake:trn1.2xlarge?", fake("trn1.2xlarge", Optional.empty(), View.IN_PROCESS, User.ROOT)),
                Arguments.of(
                        "fake:inf2.xlarge@driver-2.28",
                        fake("inf2.xlarge", Optional.of("driver-2.28"), View.IN_PROCESS, User.ROOT)),
                Arguments.of(
                        "fake:trn2.48xlarge?view=directory",
                        fake("trn2.48xlarge", Optional.empty(), View.DIRECTORY, User.ROOT)),
                Arguments.of(
                        "fake:trn2.48xlarge?view=fuse", fake("trn2.48xlarge", Optional.empty(), View.FUSE, User.ROOT)),
                Arguments.of(
                        "fake:inf2.xlarge@docs-2023?user=ordinary&view=in-process",
                        fake("inf2.xlarge", Optional.of("docs-2023"), View.IN_PROCESS, User.ORDINARY)),
                Arguments.of("fake:2xtrn1.32xlarge", hosts(2, "trn1.32xlarge", Optional.empty(), View.IN_PROCESS)),
                Arguments.of("fake:1Xtrn1.2xlarge", hosts(1, "trn1.2xlarge", Optional.empty(), View.IN_PROCESS)),
                Arguments.of(
                        "fake:064xinf2.xlarge@driver-2.28?view=fuse",
                        hosts(64, "inf2.xlarge", Optional.of("driver-2.28"), View.FUSE)),
                Arguments.of(
                        "fake:trn1.32xlarge?hosts=/etc/mpi/host file?x=1:2",
                        new Fake(
                                OptionalInt.empty(),
                                "trn1.32xlarge",
                                Optional.empty(),
                                View.IN_PROCESS,
                                User.ROOT,
                                Optional.of(Path.of("/etc/mpi/host file?x=1:2")))),
                Arguments.of(
                        "fake:trn1.2xlarge?hosts=h&user=ordinary&view=fuse",
                        new Fake(
                                OptionalInt.empty(),
                                "trn1.2xlarge",
                                Optional.empty(),
                                View.FUSE,
                                User.ORDINARY,
                                Optional.of(Path.of("h")))),
                Arguments.of("auto?", new Hardware(false, Optional.empty())),
                Arguments.of("auto?hosts=/etc/mpi/hostfile", new Hardware(false, hostFile("/etc/mpi/hostfile"))),
                Arguments.of("Real?hosts=C:/a?b=c:d", new Hardware(true, hostFile("C:/a?b=c:d"))),
                Arguments.of("root:/tmp/a?hosts=b", new Root(Path.of("/tmp/a?hosts=b"))),
                Arguments.of("root:/tmp/host", new Root(Path.of("/tmp/host"))),
                Arguments.of("root:C:/host", new Root(Path.of("C:/host"))),
                Arguments.of("replay:some recording.txt", new Replay(Path.of("some recording.txt"), Timeline.PLAY)),
                Arguments.of("replay:what?.txt?timeline=play", new Replay(Path.of("what?.txt"), Timeline.PLAY)),
                Arguments.of("replay:C:/a.gz?timeline=static", new Replay(Path.of("C:/a.gz"), Timeline.STATIC)));
    }

    private static Fake fake(String instanceType, Optional<String> layout, View view, User user) {
        return new Fake(OptionalInt.empty(), instanceType, layout, view, user, Optional.empty());
    }

    private static Fake hosts(int number, String instanceType, Optional<String> layout, View view) {
        return new Fake(OptionalInt.of(number), instanceType, layout, view, User.ROOT, Optional.empty());
    }

    private static Optional<Path> hostFile(String file) {
        return Optional.of(Path.of(file));
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
        "fake:02Xtrn1.2xlarge@driver-2.30?view=in-process, fake:2xtrn1.2xlarge@driver-2.30",
        "fake:trn1.2xlarge?hosts=a&view=directory, fake:trn1.2xlarge?view=directory&hosts=a",
        "REAL?hosts=a, real?hosts=a",
        "fake:trn1.2xlarge?user=ordinary&view=directory, fake:trn1.2xlarge?view=directory&user=ordinary"
    })
    void printsOnlyNonDefaultOptions(String text, String printed) {
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
                "auto:1 | only ?hosts=<file> is allowed after auto",
                "real: | only ?hosts=<file> is allowed after real",
                "auto?host=a | unknown option \"host\", did you mean \"hosts\"?",
                "auto?view=fuse | unknown option \"view\", known are hosts",
                "auto?hosts= | no file after hosts=",
                "real?hosts | no file after hosts=",
                "auto?hosts=a&hosts=b | the option hosts occurs twice",
                "fake | no instance type after fake:, write for example fake:trn1.2xlarge",
                "fake:@driver-2.30 | no instance type after fake:, write for example fake:trn1.2xlarge",
                "fake:2x | no instance type after fake:2x, write for example fake:2xtrn1.2xlarge",
                "fake:2x@driver-2.30 | no instance type after fake:2x, write for example fake:2xtrn1.2xlarge",
                "fake:0xtrn1.2xlarge | 0 hosts are not possible, expected 1 to 64",
                "fake:65xtrn1.2xlarge | 65 hosts are not possible, expected 1 to 64",
                "fake:99999999999999999999xtrn1.2xlarge | 99999999999999999999 hosts are not possible, expected 1 to 64",
                "fake:2xtrn1.2xlarge?hosts=a | fake:2x means fake hosts on this machine, so hosts=a has no effect; remove one of them",
                "fake:1xtrn1.2xlarge?view=fuse&hosts=a | fake:1x means fake hosts on this machine, so hosts=a has no effect; remove one of them",
                "fake:trn1.2xlarge?hosts= | no file after hosts=",
                "fake?view=fuse | no instance type after fake:, write for example fake:trn1.2xlarge",
                "fake:trn1.2xlarge@ | no layout after @, write for example @driver-2.30 or remove the @",
                "fake:trn1.2xlarge?veiw=directory | unknown option \"veiw\", did you mean \"view\"?",
                "fake:trn1.2xlarge?speed=9 | unknown option \"speed\", known are view, user, hosts",
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
    void refusesHostFileThatIsNoPath() {
        // when, then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlatformChoice.parse("auto?hosts=a\0b"))
                .withMessageStartingWith("the file is not a path: ");
    }

    @Test
    void refusesDirectoryThatIsNoPath() {
        // when, then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlatformChoice.parse("root:a\0b"))
                .withMessageStartingWith("the directory is not a path: ");
    }
}
