package dev.neurontest.fake.internal.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the text of an archive and of every possible error in it. */
class ArchiveReaderTest {

    private static final String HEAD = """
            neuron-archive 1
            recorded 2026-11-22T02:13:20.000Z
            writer by hand
            """;

    @TempDir
    private Path folder;

    private Archive read(String text) throws IOException {
        return ArchiveReader.read(Files.writeString(folder.resolve("host"), text));
    }

    @Test
    void everyKindOfEntryIsRead() throws IOException {
        // when
        Archive archive = read(HEAD + """

                # a comment
                directory 0755 dev
                 neuron0 0666 device
                directory 0700 sys/class/neuron_device
                 empty 0644 =
                 alsoEmpty 0644 =\s
                 a\\x20name 0644 =  two spaces \\\\ \\t\\r\\n\\xff\\x20
                 é 0444 = é
                 broken 0400 ! EIO as a person says
                 neuron0 -> ../../a\\x20b
                timeline
                at 0
                mark begin
                mark test-id [engine:junit-jupiter]/[class:A]/[method:b(int)]
                at 1.5
                directory 0755 dev
                 neuron0 gone
                gone sys/class/neuron_device
                mark the end\\x20
                end
                # bye
                """);

        // then
        assertThat(archive.header()).containsEntry("writer", "by hand");
        assertThat(archive.entry("dev/neuron0")).contains(new Entry.Device(0666, null));
        assertThat(archive.directories().get("sys/class/neuron_device").mode()).isEqualTo(0700);
        assertThat(archive.directories().get("sys/class/neuron_device").entries())
                .isEqualTo(Map.of(
                        "empty", new Entry.Content(0644, ""),
                        "alsoEmpty", new Entry.Content(0644, ""),
                        "a name", new Entry.Content(0644, " two spaces \\ \t\r\n\u00ff "),
                        "é", new Entry.Content(0444, "\u00c3\u00a9"),
                        "broken", new Entry.Unreadable(0400, "EIO"),
                        "neuron0", new Entry.Link("../../a b")));
        assertThat(archive.timeline())
                .isEqualTo(List.of(
                        new Archive.Reading(
                                Duration.ZERO,
                                List.of(
                                        new Step.Mark("begin"),
                                        new Step.Mark("test-id [engine:junit-jupiter]/[class:A]/[method:b(int)]"))),
                        new Archive.Reading(
                                Duration.ofMillis(1500),
                                List.of(
                                        new Step.Changed("dev", 0755, Map.of("neuron0", new Entry.Gone())),
                                        new Step.Gone("sys/class/neuron_device"),
                                        new Step.Mark("the end ")))));
    }

    @Test
    void lastLineMayLackItsLineEnd() throws IOException {
        assertThat(read(HEAD + "directory 0755 dev\nend").directories()).containsOnlyKeys("dev");
    }

    static Stream<Arguments> wrong() {
        String dev = HEAD + "directory 0755 dev\n";
        String timeline = dev + "timeline\n";
        return Stream.of(
                Arguments.of(
                        "",
                        ":1: read \"\", expected \"neuron-archive 1\": this is not a Neuron archive; use a file that"
                                + " \"record\" wrote"),
                Arguments.of(
                        "PK",
                        ":1: read \"PK\", expected \"neuron-archive 1\": this is not a Neuron archive; use a file"
                                + " that \"record\" wrote"),
                Arguments.of(
                        "neuron-archive 2\nend\n",
                        ":1: read \"neuron-archive 2\", expected \"neuron-archive 1\", the only"
                                + " version that this program reads; use a newer program"),
                Arguments.of(
                        HEAD,
                        ":4: read the end of the file, expected the line \"end\": the archive was cut short; record or"
                                + " copy it again"),
                Arguments.of(
                        dev + " neuron0 0666 devi",
                        ":5: read the end of the file, expected the line \"end\": the archive was cut short; record or"
                                + " copy it again"),
                Arguments.of(
                        HEAD + "colour blue\nend\n",
                        ":4: read \"colour blue\", expected one of the keys recorded, writer,"
                                + " host-name, instance-type, driver-version, redacted, interval and a value, or a directory"),
                Arguments.of(
                        HEAD + "writer two\nend\n",
                        ":4: read \"writer two\", expected each key once; delete one of the" + " lines"),
                Arguments.of(
                        HEAD + " a 0644 = b\nend\n",
                        ":4: read \" a 0644 = b\", expected \"directory MODE PATH\" before its"
                                + " entries; add the directory of this entry"),
                Arguments.of(
                        dev + "a 0644 = b\nend\n",
                        ":5: read \"a 0644 = b\", expected \"directory MODE PATH\","
                                + " \"timeline\", \"end\", or an entry that begins with a space"),
                Arguments.of(
                        HEAD + "directory 755 dev\nend\n",
                        ":4: read \"directory 755 dev\", expected \"directory MODE"
                                + " PATH\" with four octal digits and a path without spaces, such as \"directory 0755 dev\""),
                Arguments.of(
                        HEAD + "directory 0755 /dev\nend\n",
                        ":4: read \"directory 0755 /dev\", expected a path from the"
                                + " root of the host without \"..\", such as sys/class/neuron_device"),
                Arguments.of(
                        HEAD + "directory 0755 dev/../etc\nend\n",
                        ":4: read \"directory 0755 dev/../etc\", expected a path"
                                + " from the root of the host without \"..\", such as sys/class/neuron_device"),
                Arguments.of(
                        HEAD + "directory 0755 etc\nend\n",
                        ":4: read \"directory 0755 etc\", expected a path in one of the"
                                + " recorded directories: dev, sys/class/neuron_device, sys/devices/virtual/dmi/id,"
                                + " sys/devices/virtual/neuron_device, sys/module/neuron"),
                Arguments.of(
                        dev + "directory 0755 dev\nend\n",
                        ":5: read \"directory 0755 dev\", expected each directory once;"
                                + " put all its entries into one place"),
                Arguments.of(
                        dev + " a 0644 = 1\n a 0644 = 2\nend\n",
                        ":6: read \" a 0644 = 2\", expected each name once in dev;" + " delete one of the lines"),
                Arguments.of(
                        dev + " a 0644 = 1\ndirectory 0755 dev/a\nend\n",
                        ":6: read \"directory 0755 dev/a\", expected each"
                                + " name once, but dev/a is a file above; delete one of the two"),
                Arguments.of(
                        dev + " a -> b\ndirectory 0755 dev/a/b/c\nend\n",
                        ":6: read \"directory 0755 dev/a/b/c\", expected each"
                                + " name once, but dev/a is a link above; delete one of the two"),
                Arguments.of(
                        HEAD + "directory 0755 dev/a/b/c\ndirectory 0755 dev\n a 0644 device\nend\n",
                        ":6: read \" a 0644 device\","
                                + " expected each name once, but dev/a is a directory; delete one of the two"),
                Arguments.of(
                        HEAD + "directory 0755 dev/a\ndirectory 0755 dev\n a 0644 = 1\nend\n",
                        ":6: read \" a 0644 = 1\","
                                + " expected each name once, but dev/a is a directory; delete one of the two"),
                Arguments.of(
                        dev + " a/b 0644 = 1\nend\n",
                        ":5: read \" a/b 0644 = 1\", expected a name without a slash, and"
                                + " neither \".\" nor \"..\""),
                Arguments.of(
                        dev + " \\x2e. -> x\nend\n",
                        ":5: read \" \\x2e. -> x\", expected a name without a slash, and"
                                + " neither \".\" nor \"..\""),
                Arguments.of(
                        dev + " a 0644 = \\q\nend\n",
                        ":5: read \" a 0644 = \\q\", expected \\\\, \\n, \\t, \\r or \\xHH"
                                + " instead of \\q; a backslash itself is written \\\\"),
                Arguments.of(
                        dev + " a 0644 = \\x4\nend\n",
                        ":5: read \" a 0644 = \\x4\", expected \\\\, \\n, \\t, \\r or \\xHH"
                                + " instead of \\x4; a backslash itself is written \\\\"),
                Arguments.of(
                        dev + " a 0644 = \\\nend\n",
                        ":5: read \" a 0644 = \\\", expected \\\\, \\n, \\t, \\r or \\xHH"
                                + " instead of \\; a backslash itself is written \\\\"),
                Arguments.of(
                        dev + " a 0644 ! sad\nend\n",
                        ":5: read \" a 0644 ! sad\", expected after \"!\" the name of an"
                                + " error such as EIO, or timeout, too-large or unknown"),
                Arguments.of(
                        dev + " a 0999 = 1\nend\n",
                        ":5: read \" a 0999 = 1\", expected one space, then \"NAME MODE ="
                                + " CONTENT\", \"NAME MODE ! REASON\", \"NAME MODE device\" or \"NAME -> TARGET\", where MODE is octal such as 0644"),
                Arguments.of(
                        dev + "  a 0644 = 1\nend\n",
                        ":5: read \"  a 0644 = 1\", expected one space, then \"NAME MODE ="
                                + " CONTENT\", \"NAME MODE ! REASON\", \"NAME MODE device\" or \"NAME -> TARGET\", where MODE is octal such as 0644"),
                Arguments.of(
                        dev + " a gone\nend\n",
                        ":5: read \" a gone\", expected one space, then \"NAME MODE = CONTENT\","
                                + " \"NAME MODE ! REASON\", \"NAME MODE device\" or \"NAME -> TARGET\", where MODE is octal such as 0644"),
                Arguments.of(
                        dev + "end\nend\n",
                        ":6: read \"end\", expected nothing after \"end\"; delete the lines that follow, or the"
                                + " earlier \"end\""),
                Arguments.of(
                        dev + "at 1.0\nend\n",
                        ":5: read \"at 1.0\", expected \"directory MODE PATH\", \"timeline\","
                                + " \"end\", or an entry that begins with a space"),
                Arguments.of(
                        timeline + "mark a\nend\n",
                        ":6: read \"mark a\", expected \"at SECONDS\" after \"timeline\"; add"
                                + " the time of this change"),
                Arguments.of(
                        timeline + "at soon\nend\n",
                        ":6: read \"at soon\", expected \"at SECONDS\", \"directory MODE"
                                + " PATH\", \"gone PATH\", \"mark WORDS\", \"end\", or an entry that begins with a space"),
                Arguments.of(
                        timeline + "at 2.0\nat 1.999\nend\n",
                        ":7: read \"at 1.999\", expected a time that is not before"
                                + " the previous one; move the block up or correct its time"),
                Arguments.of(
                        timeline + "at 1.0\nmark a\nmark a\nend\n",
                        ":8: read \"mark a\", expected different words for each" + " mark; change one of them"),
                Arguments.of(
                        timeline + "at 1.0\nmark a\n b 0644 = 1\nend\n",
                        ":8: read \" b 0644 = 1\", expected \"directory"
                                + " MODE PATH\" before its entries; add the directory of this entry"));
    }

    private static Stream<Arguments> wrongChanges() {
        String misspelt =
                "expected a name listed above in dev, or \"new\" before it for a new one; correct the name or its"
                        + " directory";
        String nowhere = "expected the path of a directory listed above, or \"new directory MODE PATH\" for a new one;"
                + " correct it";
        String otherKind = "and a change cannot alter the kind of an entry";
        String file = "expected \"NAME MODE = CONTENT\" or \"NAME MODE ! REASON\": it is a file above, " + otherKind;
        return Stream.of(
                Arguments.of(" fil 0644 = 1", misspelt),
                Arguments.of(" fil gone", misspelt),
                Arguments.of(" new 0644 = 1", misspelt),
                Arguments.of(" file 0644 device", file),
                Arguments.of(" file -> elsewhere", file),
                Arguments.of(" new file -> elsewhere", file),
                Arguments.of(" link 0644 ! EIO", "expected \"NAME -> TARGET\": it is a link above, " + otherKind),
                Arguments.of(" device 0644 = 1", "expected \"NAME MODE device\": it is a device above, " + otherKind),
                Arguments.of(
                        " new deep 0644 = 1",
                        "expected each name once, but dev/deep is a directory; delete one of the two"),
                Arguments.of("directory 0755 dev/dep", nowhere),
                Arguments.of(
                        "new directory 0755 dev/file",
                        "expected each name once, but dev/file is a file above;" + " delete one of the two"),
                Arguments.of(
                        "new directory 0755 dev/link/more",
                        "expected each name once, but dev/link is a link above;" + " delete one of the two"),
                Arguments.of("gone dev/dep", "expected the path of a directory listed above; correct it"),
                Arguments.of("gone dev/file", "expected the path of a directory listed above; correct it"));
    }

    @ParameterizedTest
    @MethodSource("wrongChanges")
    void changeOfUnknownNameOrOfKindIsRefused(String line, String expected) {
        assertThatThrownBy(() -> read(CHANGING + line + "\nend\n"))
                .isInstanceOf(ArchiveException.class)
                .hasMessage(folder.resolve("host") + ":12: read \"" + line + "\", " + expected);
    }

    private static final String CHANGING = HEAD + """
            directory 0755 dev
             file 0644 = 1
             link -> file
             device 0644 device
            directory 0755 dev/deep/deeper
            timeline
            at 1
            directory 0755 dev
            """;

    @Test
    void newEntriesAreMarkedOnlyOnce() throws IOException {
        // when
        Archive archive = read(CHANGING + """
                 file gone
                 new new 0444 = new
                 new other -> file
                new directory 0755 dev/more
                 one 0644 = 1
                directory 0755 dev/deep
                at 2
                directory 0755 dev
                 file 0644 ! EIO
                 new 0444 =
                gone dev/more
                at 3
                directory 0755 dev/more
                 one 0644 = 2
                end
                """);

        // then
        assertThat(archive.everything().get("dev").entries().keySet())
                .containsExactlyInAnyOrder("file", "link", "device", "new", "other");
        assertThat(archive.everything().get("dev/more").entries()).containsOnlyKeys("one");
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void invalidTextIsRefusedWithLineAndExpectation(String text, String message) {
        Path file = folder.resolve("host");
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ArchiveException.class)
                .hasMessage(file + message);
    }

    @Test
    void controlCharactersAreReplacedInMessages() {
        assertThatThrownBy(() -> read(HEAD + "\u001b[2J" + "x".repeat(500) + "\nend\n"))
                .hasMessageContaining(":4: read \"?[2J" + "x".repeat(76) + "...\", expected");
    }

    @Test
    void bytesOutsideUtf8AreRefused() throws IOException {
        Path file = Files.write(folder.resolve("host"), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThatThrownBy(() -> ArchiveReader.read(file))
                .isInstanceOf(ArchiveException.class)
                .hasMessage(file
                        + ": it is not text in UTF-8 and therefore not an archive; record it again or undo the change");
    }

    @Test
    void damagedGzipIsRefused() throws IOException {
        Path file = Files.write(folder.resolve("host"), new byte[] {0x1f, (byte) 0x8b, 8, 0, 0});
        assertThatThrownBy(() -> ArchiveReader.read(file))
                .isInstanceOf(ArchiveException.class)
                .hasMessage(file + ": the gzip around the archive is damaged or was cut short; copy it again");
    }
}
