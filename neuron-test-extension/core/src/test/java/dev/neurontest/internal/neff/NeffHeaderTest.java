package dev.neurontest.internal.neff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.profile.HeaderFixture;
import dev.neurontest.profile.SampleFixture;
import dev.neurontest.runtime.NeffException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class NeffHeaderTest {

    private static final String EXPECTED = ", expected a NEFF: a header of 1024 bytes and a gzip'ed tar. ";
    private static final String WHERE =
            "Use the compiled graph: compilers write it to their cache or work folder as *.neff.";

    private static final String FAKE = " For a fake host, fake-sysfs neff FILE creates one.";

    @TempDir
    Path folder;

    private Path file;
    private byte[] genuine;

    private static Stream<JsonNode> pairs() {
        return SampleFixture.json("ntff_neff_parsed-headers.json").valueStream();
    }

    @BeforeEach
    void makeANeff() {
        file = folder.resolve("resnet 50\n.neff");
        genuine = HeaderFixture.neff(pairs().findFirst().orElseThrow());
    }

    private NeffHeader read(byte[] content) throws IOException {
        Files.write(file, content);
        return NeffHeader.read(file);
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void readsRecordedHeadersOfGenuineFiles(JsonNode pair) throws IOException {
        // given
        JsonNode facts = pair.get("neff");

        // when
        NeffHeader header = read(HeaderFixture.neff(pair));

        // then
        assertThat(header)
                .isEqualTo(new NeffHeader(
                        facts.get("name").asString(),
                        facts.get("uuid").asString(),
                        facts.get("hash16").asString(),
                        facts.get("cores_per_lnc").intValue(),
                        facts.get("data_bytes").longValue(),
                        false));
        assertThat(facts.get("bytes").longValue()).isEqualTo(1024 + header.bodyBytes());
    }

    @ParameterizedTest
    @CsvSource({
        "chenhzhu, e09e25ab3c064ef989233737f9c6fa04, acbe6b9bbe1d2c919c0dc57241e0d3c2, 2, 20480",
        "Ericcsr, 2ffbfc038cb64d1593542f6ca4ee2b9b, 3c7618be668610efe4b21ed7148f983a, 1, 10240"
    })
    void readsTheBytesOfAGenuineFile(String title, String uuid, String hash, int cores, long bodyBytes)
            throws IOException {
        // given
        byte[] bytes = HeaderFixture.hexdump("neff_header_hexdump.txt", title, 1024 + (int) bodyBytes);

        // then
        assertThat(read(bytes)).isEqualTo(new NeffHeader("file.neff", uuid, hash, cores, bodyBytes, false));
        assertThat(NeffHeader.find(file)).contains(NeffHeader.read(file));
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 1025, 1026, 11263})
    void isCutWhenBodyIsShorterThanHeaderPromises(int length) throws IOException {
        // then
        assertThat(read(Arrays.copyOf(genuine, length)).cut()).isTrue();
    }

    @Test
    void isNotCutWhenBytesFollowBody() throws IOException {
        // then
        assertThat(read(Arrays.copyOf(genuine, genuine.length + 1)).cut()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "2, 2", "16, 16", "17, 0", "-1, 0"})
    void readsImplausibleCoreSizeAsZero(long written, int cores) throws IOException {
        // given
        ByteBuffer.wrap(genuine).order(ByteOrder.LITTLE_ENDIAN).putLong(0x228, written);

        // then
        assertThat(read(genuine).logicalCoreSize()).isEqualTo(cores);
    }

    @Test
    void keepsControlCharactersOutOfTheName() throws IOException {
        // given
        System.arraycopy("a\u001b[2Jb\n".getBytes(StandardCharsets.UTF_8), 0, genuine, 0xdc, 7);

        // then
        assertThat(read(genuine).name()).startsWith("a\\u001b[2Jb\\u000a");
    }

    @Test
    void readsUnterminatedName() throws IOException {
        // given
        Arrays.fill(genuine, 0xdc, 0xdc + 256, (byte) 'n');

        // then
        assertThat(read(genuine).name()).isEqualTo("n".repeat(256));
    }

    @Test
    void reportsMissingFile() {
        // then
        assertThatThrownBy(() -> NeffHeader.read(file))
                .isInstanceOf(NeffException.class)
                .hasMessage(file + " does not exist" + EXPECTED + WHERE + FAKE);
        assertThat(NeffHeader.find(file)).isEmpty();
    }

    @Test
    void namesDirectorySearchedForRelativePath() {
        // then
        assertThatThrownBy(() -> NeffHeader.read(Path.of("no-such.neff")))
                .hasMessage("no-such.neff does not exist" + EXPECTED + "A relative path starts from "
                        + Path.of("").toAbsolutePath() + "." + FAKE);
    }

    @Test
    void refusesFolder() {
        // then
        assertThatThrownBy(() -> NeffHeader.read(folder)).hasMessage(folder + " is a folder" + EXPECTED + WHERE);
    }

    @Test
    void refusesEmptyFile() {
        // then
        assertThatThrownBy(() -> read(new byte[0])).hasMessage(file + " is empty" + EXPECTED + WHERE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 23, 24, 1023})
    void refusesTruncatedHeader(int length) {
        // then
        assertThatThrownBy(() -> read(Arrays.copyOf(genuine, length)))
                .hasMessage(
                        file + " is truncated: it has " + length + " bytes" + EXPECTED + "Compile or copy it again.");
    }

    @Test
    void refusesFileOfOtherFormat() {
        // given
        byte[] model = Arrays.copyOf("PK\u0003\u0004 a traced model".getBytes(StandardCharsets.UTF_8), 5000);

        // then
        assertThatThrownBy(() -> read(model))
                .isInstanceOf(NeffException.class)
                .hasMessage(file
                        + " is not a NEFF: it begins with 504b0304206120747261636564206d6f and not with a version and the size of"
                        + " its head" + EXPECTED + WHERE);
    }

    @Test
    void refusesBodyThatIsNoGzip() {
        // given
        genuine[1024] = 'P';

        // then
        assertThatThrownBy(() -> read(genuine))
                .hasMessageContaining("is not a NEFF: its body begins with 508b and not with that of gzip, 1f8b");
    }

    @Test
    void refusesTruncatedBody() throws IOException {
        // given
        Files.write(file, Arrays.copyOf(genuine, genuine.length - 1));

        // then
        assertThatThrownBy(() -> NeffHeader.ofWhole(file))
                .isInstanceOf(NeffException.class)
                .hasMessage("%s is truncated: it has %s bytes after its header, which promises %s"
                                .formatted(file, genuine.length - 1025, genuine.length - 1024)
                        + EXPECTED
                        + "Compile or copy it again.");
    }
}
