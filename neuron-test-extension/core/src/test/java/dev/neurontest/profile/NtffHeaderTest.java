package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.neurontest.internal.neff.NeffHeader;
import dev.neurontest.profile.HeaderFixture.Message;
import dev.neurontest.profile.NtffHeader.Graph;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class NtffHeaderTest {

    @TempDir
    Path folder;

    private Path file;
    private byte[] genuine;

    private static Stream<JsonNode> pairs() {
        return SampleFixture.json("ntff_neff_parsed-headers.json").valueStream();
    }

    @BeforeEach
    void makeAnNtff() {
        file = folder.resolve("profile_exec_2.ntff");
        genuine = SampleFixture.bytes("ntff_synthetic_v5_lnc2.hex");
    }

    private NtffHeader.Reading read(byte[] content) throws IOException {
        Files.write(file, content);
        return NtffHeader.read(file);
    }

    private NtffHeader header(byte[] content) throws IOException {
        return read(content).header().orElseThrow();
    }

    private static byte[] ntffOf(Message message) {
        return HeaderFixture.ntff(5, message.toBytes(), 0);
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void readsHeadersOfGenuineFiles(JsonNode pair) throws IOException {
        // given
        byte[] ntff = HeaderFixture.ntff(pair);
        assertThat(ntff).hasSize(pair.get("ntff_bytes").intValue());

        // when
        NtffHeader.Reading reading = read(ntff);

        // then
        assertThat(reading.problem()).isEmpty();
        assertThat(reading.header())
                .contains(new NtffHeader(
                        pair.get("ntff_version").intValue(),
                        Optional.of(pair.get("neff_name").asString()),
                        Optional.of(pair.get("neff_uuid").asString()),
                        pair.get("graphs")
                                .valueStream()
                                .map(graph -> new Graph(
                                        graph.get("name").asString(),
                                        graph.get("nc_index").intValue(),
                                        Optional.of(Duration.ofNanos(Math.round(
                                                graph.get("duration_ps").longValue() / 1000.0)))))
                                .toList(),
                        Optional.of(pair.get("runtime_version").asString()),
                        Optional.of(pair.get("instance_type").asString()),
                        pair.get("notification_bytes").longValue(),
                        false));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void carriesTheUuidOfItsNeff(JsonNode pair) throws IOException {
        // given
        Path neff = Files.write(folder.resolve("file.neff"), HeaderFixture.neff(pair));

        // then
        assertThat(header(HeaderFixture.ntff(pair)).neffUuid())
                .contains(NeffHeader.read(neff).uuid());
    }

    @ParameterizedTest
    @CsvSource({
        "db6e2c1f, db6e2c1f",
        "ce4a538806634f08806c5ef3f1, ce4a538806634f08806c5ef3f1",
        "db6e2c1f00112233445566778899aabbccddeeff, db6e2c1f",
        "e09e25ab3c064ef989233737f9c6fa04541a01fcf572, e09e25ab3c064ef989233737f9c6fa04"
    })
    void keepsAUuidUpToItsFirstZeroByte(String written, String kept) throws IOException {
        // then
        assertThat(header(ntffOf(new Message().bytes(2, HeaderFixture.hex(written))))
                        .neffUuid())
                .contains(kept);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "00112233445566778899aabbccddeeff"})
    void hasNoUuidWithoutBytesBeforeFirstZero(String written) throws IOException {
        // then
        assertThat(header(ntffOf(new Message().bytes(2, HeaderFixture.hex(written))))
                        .neffUuid())
                .isEmpty();
    }

    @Test
    void readsVersion4WithOneCore() throws IOException {
        // then
        assertThat(header(SampleFixture.bytes("ntff_synthetic_v4_lnc1.hex")))
                .isEqualTo(new NtffHeader(
                        4,
                        Optional.of("file.neff"),
                        Optional.empty(),
                        List.of(new Graph("sg00", 0, Optional.of(Duration.ofNanos(29044)))),
                        Optional.empty(),
                        Optional.of("trn1.2xlarge"),
                        32,
                        false));
    }

    @Test
    void readsVersion5WithTwoPhysicalCores() throws IOException {
        // then
        assertThat(header(genuine))
                .isEqualTo(new NtffHeader(
                        5,
                        Optional.of("file.neff"),
                        Optional.empty(),
                        List.of(
                                new Graph("sg00", 4, Optional.of(Duration.ofNanos(26417))),
                                new Graph("sg01", 5, Optional.of(Duration.ofNanos(7900)))),
                        Optional.empty(),
                        Optional.of("trn2.3xlarge"),
                        32,
                        false));
    }

    @ParameterizedTest
    @CsvSource({
        "chenhzhu, 123735, 5, e09e25ab3c064ef989233737f9c6fa04, 75008",
        "Ericcsr, 67966, 4, 2ffbfc038cb64d1593542f6ca4ee2b9b, 37504"
    })
    void readsExcerptOfGenuineFile(String title, int size, int version, String uuid, long notificationBytes)
            throws IOException {
        // given
        byte[] bytes = HeaderFixture.hexdump("ntff_header_hexdump.txt", title, size);

        // when
        NtffHeader.Reading reading = read(bytes);

        // then
        assertThat(reading.header()).hasValueSatisfying(header -> {
            assertThat(header.version()).isEqualTo(version);
            assertThat(header.neffName()).contains("file.neff");
            assertThat(header.neffUuid()).contains(uuid);
            assertThat(header.notificationBytes()).isEqualTo(notificationBytes);
            assertThat(header.cut()).isFalse();
        });
        assertThat(reading.problem())
                .as("the excerpt shows the beginning of the message only")
                .hasValueSatisfying(problem -> assertThat(problem).contains("no protobuf field at byte"));
    }

    @Test
    void agreesWithTheTotalTimeOfTheSummary() throws IOException {
        // given
        JsonNode pair = pairs().filter(
                        each -> each.get("source").asString().equals("chenhzhu/asst4-trainium2 part1/stream_256k_fd1k"))
                .findFirst()
                .orElseThrow();
        ProfileSummary summary = SampleFixture.summary("summary-json_derived_trn2_2.25_vecadd_fd1k.json");

        // then
        assertThat(header(HeaderFixture.ntff(pair)).graphs().get(0).duration())
                .hasValueSatisfying(time ->
                        assertThat(summary.number("total_time")).hasValueCloseTo(time.toNanos() / 1e9, within(1e-9)));
    }

    @Test
    void reportsFileCutWithinMessage() throws IOException {
        // when
        NtffHeader.Reading reading = read(Arrays.copyOf(genuine, 150));

        // then
        assertThat(reading.header()).hasValueSatisfying(header -> {
            assertThat(header.cut()).isTrue();
            assertThat(header.neffName()).contains("file.neff");
            assertThat(header.neffUuid()).isEmpty();
            assertThat(header.notificationBytes()).isZero();
        });
        assertThat(reading.problem())
                .contains(file + " is cut: it has 150 bytes, expected a head of 128 and a message of 88."
                        + " The capture was ended, or the disk is full; capture it again.");
    }

    @Test
    void reportsFileCutWithinRecord() throws IOException {
        // when
        NtffHeader.Reading reading = read(Arrays.copyOf(genuine, genuine.length - 1));

        // then
        assertThat(reading.header())
                .hasValueSatisfying(header -> assertThat(header.cut()).isTrue());
        assertThat(reading.problem())
                .hasValueSatisfying(problem -> assertThat(problem)
                        .contains("is cut: it has 247 bytes, expected whole records of 16 after byte 216."));
    }

    @ParameterizedTest
    @ValueSource(bytes = {4, 5, 6, 7, 8})
    void detectsCutRecordInEveryVersion(byte version) throws IOException {
        // given
        genuine[0] = version;

        // then
        assertThat(header(genuine).cut()).isFalse();
        assertThat(header(Arrays.copyOf(genuine, genuine.length - 1)).cut()).isTrue();
    }

    @Test
    void reportsThatNewerVersionMayHaveOtherLayout() throws IOException {
        // given
        genuine[0] = 7;

        // then
        assertThat(read(Arrays.copyOf(genuine, genuine.length - 1)).problem())
                .hasValueSatisfying(problem -> assertThat(problem)
                        .endsWith("If every capture fails like this, files of version 7 have an unknown layout."));
    }

    @Test
    void acceptsEmptyTrace() throws IOException {
        // when
        NtffHeader.Reading reading = read(Arrays.copyOf(genuine, 216));

        // then
        assertThat(reading.problem()).isEmpty();
        assertThat(reading.header().orElseThrow().notificationBytes()).isZero();
    }

    @Test
    void treatsLengthBeyondFileAsCut() throws IOException {
        // given
        ByteBuffer.wrap(genuine).order(ByteOrder.LITTLE_ENDIAN).putLong(1, Long.MAX_VALUE);

        // then
        assertThat(header(genuine).cut()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(bytes = {115, (byte) 129, (byte) 130, 0})
    void reportsFileThatIsNoNtff(byte first) throws IOException {
        // given
        genuine[0] = first;

        // when
        NtffHeader.Reading reading = read(genuine);

        // then
        assertThat(reading.header()).isEmpty();
        assertThat(reading.problem())
                .contains(file + " is not an NTFF file: its first byte is " + Byte.toUnsignedInt(first)
                        + ", expected a version from 1 to 7. Use the *.ntff, not the *.pb or the NEFF.");
    }

    @Test
    void reportsEmptyFile() throws IOException {
        // then
        assertThat(read(new byte[0]))
                .isEqualTo(new NtffHeader.Reading(
                        Optional.empty(),
                        Optional.of(file + " is empty: its core was made ready, but no execution on it was traced.")));
    }

    @Test
    void reportsCutHead() throws IOException {
        // then
        assertThat(read(Arrays.copyOf(genuine, 127)).problem())
                .contains(file + " is cut: it has 127 bytes, expected a head of 128."
                        + " The capture was ended, or the disk is full; capture it again.");
    }

    @Test
    void reportsMissingFile() {
        // then
        assertThat(NtffHeader.read(file).problem()).contains(file + " does not exist. See the log of the capture.");
    }

    @Test
    void reportsFolder() {
        // then
        assertThat(NtffHeader.read(folder).problem())
                .contains(folder + " is a folder, expected an NTFF file. Use the *.ntff in the folder of the capture.");
    }

    @Test
    void keepsFieldsBeforeUnreadablePart() throws IOException {
        // given: a group, which no writer uses any more
        Message message = new Message().text(1, "a.neff").text(9, "trn1.2xlarge");
        byte[] withGroup = Arrays.copyOf(message.toBytes(), message.toBytes().length + 1);
        withGroup[withGroup.length - 1] = 4 << 3 | 3;

        // when
        NtffHeader.Reading reading = read(HeaderFixture.ntff(5, withGroup, 16));

        // then
        assertThat(reading.header()).hasValueSatisfying(header -> {
            assertThat(header.neffName()).contains("a.neff");
            assertThat(header.instanceType()).contains("trn1.2xlarge");
            assertThat(header.graphs()).isEmpty();
        });
        assertThat(reading.problem())
                .contains(file + " has a message that cannot be parsed (no protobuf field at byte 150)."
                        + " Its version is 5; the file may be damaged or newer than the known versions.");
    }

    @Test
    void readsNothingBeyondEndOfMessage() throws IOException {
        // given: a name of 20 bytes, with 4 of them in the message
        byte[] lies = HeaderFixture.hex("0a1461626364");

        // when
        NtffHeader.Reading reading = read(HeaderFixture.ntff(5, lies, 32));

        // then
        assertThat(reading.header())
                .hasValueSatisfying(header -> assertThat(header.neffName()).isEmpty());
        assertThat(reading.problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("no protobuf field at byte 130"));
    }

    @Test
    void ignoresFieldsOfWrongLengthOrType() throws IOException {
        // when
        NtffHeader header = header(ntffOf(
                new Message().bytes(1, new byte[5000]).bytes(2, new byte[15]).number(9, 7)));

        // then
        assertThat(header.neffName()).isEmpty();
        assertThat(header.neffUuid()).isEmpty();
        assertThat(header.instanceType()).isEmpty();
    }

    @Test
    void ignoresImpossibleNumbers() throws IOException {
        // given
        Message graph = new Message().text(1, "sg00").number(3, 1L << 40).number(14, -1);

        // then
        assertThat(header(ntffOf(new Message().message(4, new Message().message(4, new Message().message(1, graph)))))
                        .graphs())
                .containsExactly(new Graph("sg00", -1, Optional.empty()));
    }

    @Test
    void escapesControlCharacters() throws IOException {
        // then
        assertThat(header(ntffOf(new Message().text(1, "a\u001b[2J\n"))).neffName())
                .contains("a\\u001b[2J\\u000a");
    }

    @Test
    void stopsAtTooManyFields() throws IOException {
        // given
        byte[] fields = "\b\u0000".repeat(1_000_001).getBytes(StandardCharsets.UTF_8);

        // then
        assertThat(read(HeaderFixture.ntff(5, fields, 0)).problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("more than 1000000 protobuf fields"));
    }

    @Test
    void neverThrowsForFileCutAnywhere() throws IOException {
        // then
        for (int length = 0; length < genuine.length; length++) {
            NtffHeader.Reading reading = read(Arrays.copyOf(genuine, length));
            boolean isWhole = length == 216 || length == 232;
            assertThat(reading.problem().isEmpty()).as("cut at %s", length).isEqualTo(isWhole);
        }
    }
}
