package dev.neurontest.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SshEngineTest {

    private final SshEngine engine = new SshEngine("hostfile", List.of("n1", "n2"));

    @Test
    void commandHasNoTerminalAndAsksNothing() {
        // when
        List<String> command = engine.command("n2", List.of("/opt/java", "-cp", "a:b.jar", "Agent"));

        // then
        assertThat(String.join(" ", command))
                .isEqualTo(
                        "ssh -T -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ServerAliveCountMax=3"
                                + " -o ControlMaster=no -o ClearAllForwardings=yes -- n2 /opt/java -cp a:b.jar Agent");
    }

    @Test
    void commandLeavesHostKeysToConfigurationOfUser() {
        assertThat(engine.command("n1", List.of("java"))).noneMatch(word -> word.contains("HostKey"));
    }

    @Test
    void refusesUnknownHost() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine.command("-oProxyCommand=id", List.of("java")))
                .withMessage("-oProxyCommand=id is none of the hosts [n1, n2]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a\tb",
                "a\nb",
                "a\0b",
                "a'b",
                "a\"b",
                "a\\b",
                "$HOME",
                "`id`",
                "a;b",
                "a&b",
                "a|b",
                "a>b",
                "a<b",
                "(a)",
                "{a,b}",
                "[a]",
                "a*",
                "a?",
                "~",
                "a=~",
                "a!b",
                "#a",
                "a#b",
                "a^b",
                "=ls",
                "%1",
                "@1",
                "größe",
                "a\u00a0b",
                "a\u001b[31m"
            })
    void refusesArgumentThatShellsWouldRead(String word) {
        assertThatExceptionOfType(HostEngineException.class)
                .isThrownBy(() -> engine.command("n1", List.of("java", word)))
                .withMessageStartingWith("the word \"")
                .withMessageContaining("cannot be passed to a host by ssh, because a shell on the host would read it")
                .withMessageEndingWith("move it to a path of these characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A=b", "-v", "%1", "@", "label:", "a,b", "+x", "my java"})
    void refusesProgramThatShellsWouldRead(String program) {
        assertThatExceptionOfType(HostEngineException.class).isThrownBy(() -> engine.command("n1", List.of(program)));
    }

    @Test
    void namesRefusedWordAndAdvice() {
        assertThatExceptionOfType(HostEngineException.class)
                .isThrownBy(() -> engine.command("n1", List.of("java", "-cp", "/home/my \u001bfiles/a.jar")))
                .withMessage(
                        "the word \"/home/my \\u001bfiles/a.jar\" cannot be passed to a host by ssh, because a shell on the"
                                + " host would read it; expected letters, digits and / . _ - : , +, in arguments also = @ % after the"
                                + " first character. If the word names a JDK or jar, move it to a path of these characters");
    }

    /** Verifies with each shell of this machine that an accepted word reaches the program unchanged. */
    @ParameterizedTest
    @ValueSource(strings = {"sh", "dash", "bash", "zsh", "csh", "tcsh", "ksh", "fish"})
    void acceptedWordsAreInertInShell(String shell, @TempDir Path folder) throws Exception {
        // given
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(each -> Files.isExecutable(Path.of(each, shell))),
                "PATH has no " + shell);
        Path program = Files.writeString(folder.resolve("print"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> words =
                new ArrayList<>(List.of(program.toString(), "AZaz09", "--x=%1", "a=/usr:b", "-", ".", ".."));
        for (char first : "a0/._:,+-".toCharArray()) {
            for (char second : "z9/._:,+=@%-".toCharArray()) {
                words.add("" + first + second);
                words.add(first + "=" + second + "1");
            }
        }

        // when
        List<String> command = engine.command("n1", words);
        String joined = String.join(" ", command.subList(command.indexOf("n1") + 1, command.size()));
        Process process = new ProcessBuilder(shell, "-c", joined)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        // then
        assertThat(output.lines()).containsExactlyElementsOf(words.subList(1, words.size()));
    }
}
