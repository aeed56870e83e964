package dev.neurontest.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostFileTest {

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("hostfile"), text);
    }

    private void assertRefused(Path file, String message) {
        assertThatExceptionOfType(HostEngineException.class)
                .isThrownBy(() -> HostFile.read(file))
                .withMessage(message.replace("FILE", file.toString()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n2\\nn1 | n2,n1",
                "n1 slots=8 max_slots=8\\nn2 slots=8 | n1,n2",
                "n1\\tslots = 8  max-slots=16 | n1",
                "n1:8\\nn2:16 | n1,n2",
                "# hosts of the job\\n\\n  n1  # the first\\nn2#the second\\n | n1,n2",
                "n1\\r\\nn2\\r\\n | n1,n2",
                "job-worker-0.job.space.svc slots=1 | job-worker-0.job.space.svc",
                "10.0.0.1 slots=1\\n10_a | 10.0.0.1,10_a",
            })
    void readsHostsInTheirOrder(String text, String hosts) throws IOException {
        // when
        List<String> read = HostFile.read(file(text.translateEscapes()));

        // then
        assertThat(String.join(",", read)).isEqualTo(hosts);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "n1\\nme@n2 slots=2 | line 2 of the host file FILE: me@n2 slots=2 names a user. Give the host a name in ~/.ssh/config, with User, and write that name",
                "fe80::1 | line 1 of the host file FILE: fe80::1 is an IPv6 address. Give the host a name in ~/.ssh/config, with HostName, and write that name",
                "[::1]:8 | line 1 of the host file FILE: [::1]:8 is an IPv6 address. Give the host a name in ~/.ssh/config, with HostName, and write that name",
                "n1\\n\\nn2\\nn1 slots=4 | line 4 of the host file FILE: the host n1 is already in line 1; remove one of the lines",
                "Node\\nnode | line 2 of the host file FILE: the host node is already in line 1; remove one of the lines",
                "-oProxyCommand=id | line 1 of the host file FILE: -oProxyCommand=id is not a host with slots; expected for example n1, n1 slots=8 or n1:8",
                "-v | line 1 of the host file FILE: -v is not the name of a host, expected a name of letters, digits, dots, underscores and hyphens that begins with a letter or a digit",
                "n1$(id) | line 1 of the host file FILE: n1$(id) is not the name of a host, expected a name of letters, digits, dots, underscores and hyphens that begins with a letter or a digit",
                "größe | line 1 of the host file FILE: größe is not the name of a host, expected a name of letters, digits, dots, underscores and hyphens that begins with a letter or a digit",
                "^n1 | line 1 of the host file FILE: ^n1 is not the name of a host, expected a name of letters, digits, dots, underscores and hyphens that begins with a letter or a digit",
                "n1 n2 | line 1 of the host file FILE: n1 n2 is not a host with slots; expected for example n1, n1 slots=8 or n1:8",
                "n1 slots=0 | line 1 of the host file FILE: n1 slots=0 is not a host with slots; expected for example n1, n1 slots=8 or n1:8",
                "n1 slots=many | line 1 of the host file FILE: n1 slots=many is not a host with slots; expected for example n1, n1 slots=8 or n1:8",
                "n1:x | line 1 of the host file FILE: n1:x is not a host with slots; expected for example n1, n1 slots=8 or n1:8",
                ":8 | line 1 of the host file FILE: :8 is not a host with slots; expected for example n1, n1 slots=8 or n1:8",
                "# nobody | the host file FILE names no host; expected for example n1, n1 slots=8 or n1:8",
            })
    void refusesLineWithItsNumber(String text, String message) throws IOException {
        assertRefused(file(text.translateEscapes()), message);
    }

    @Test
    void escapesControlCharactersOfLine() throws IOException {
        assertRefused(
                file("n1 \u001b[31m"),
                "line 1 of the host file FILE: n1 \\u001b[31m is not a host with slots; expected for example n1, n1 slots=8 or n1:8");
    }

    @Test
    void refusesMissingFile() {
        assertRefused(folder.resolve("none"), "the host file FILE cannot be read: there is no such file or folder");
    }

    @Test
    void refusesFolder() {
        assertRefused(
                folder,
                "the host file FILE cannot be read: it is a folder and was not read, expected a list of hosts in a regular file");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void refusesPipeAndDeviceWithoutWaiting() throws Exception {
        // given
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        // when, then
        assertRefused(
                pipe,
                "the host file FILE cannot be read: it is a pipe and was not read, expected a list of hosts in a regular file");
        assertRefused(
                Path.of("/dev/zero"),
                "the host file FILE cannot be read: it is a device and was not read, expected a list of hosts in a regular file");
    }

    @Test
    void refusesFileThatIsNotText() throws IOException {
        // given
        Path file = folder.resolve("hostfile");
        Files.write(file, "n1\nn\u00fc".getBytes(StandardCharsets.ISO_8859_1));

        // when, then
        assertRefused(file, "the host file FILE cannot be read: it is not text in UTF-8");
    }

    @Test
    void refusesMoreThanOneMebibyte() throws IOException {
        assertRefused(
                file("#".repeat((1 << 20) + 1)),
                "the host file FILE cannot be read: it has 1048577 bytes, and a list of hosts has at most 1 MiB");
    }

    @Test
    void readsAtMost1024Hosts() throws IOException {
        // given
        String most = IntStream.rangeClosed(1, 1024).mapToObj(n -> "n" + n).collect(Collectors.joining("\n"));

        // when, then
        assertThat(HostFile.read(file(most))).hasSize(1024);
        assertRefused(file(most + "\nn1025"), "line 1025 of the host file FILE: more than 1024 hosts are not possible");
    }

    @Test
    void refusesLineOfMebibyteAndShowsItsBeginning() throws IOException {
        // given
        String slots = "n1" + " slots=8".repeat((1 << 17) - 1);

        // when, then
        assertRefused(
                file(slots),
                "line 1 of the host file FILE: %s… is not a host with slots; expected for example n1, n1 slots=8 or n1:8"
                        .formatted(slots.substring(0, 80)));
        assertRefused(
                file("a".repeat(254)),
                ("line 1 of the host file FILE: %s… is not the name of a host, expected a name of letters, digits, dots,"
                                + " underscores and hyphens that begins with a letter or a digit")
                        .formatted("a".repeat(80)));
    }
}
