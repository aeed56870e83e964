package dev.neurontest.internal.cluster.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.internal.json.RecordReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {

    private static FileCalls.Names names(int count) {
        return new FileCalls.Names(
                IntStream.range(0, count).mapToObj(number -> "näme " + number).toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 50, 70, 1000, 200_000})
    void messageOfAnyLengthIsReadAgain(int count) throws IOException {
        String line = new String(Message.line("", names(count)), StandardCharsets.UTF_8);

        assertThat(line).endsWith("\n").hasLineCount(1);
        assertThat(RecordReader.EXACT.read(
                        Message.json(line.strip().getBytes(StandardCharsets.UTF_8)), FileCalls.Names.class))
                .isEqualTo(names(count));
    }

    @Test
    void shortMessageIsReadable() {
        assertThat(Message.line("mark ", names(1))).asString().isEqualTo("mark {\"names\":[\"näme 0\"]}\n");
    }

    @Test
    void longMessageIsCompressed() {
        assertThat(Message.line("mark ", names(1000)))
                .hasSizeLessThan(5000)
                .asString()
                .startsWith("mark *");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "*x", "*näme", "*AAAA"})
    void damagedMessageIsRefused(String line) {
        assertThatThrownBy(() -> Message.json(line.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void messageThatGrowsBeyondLimitIsRefused() throws IOException {
        // given
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(compressed)) {
            out.write(new byte[2 << 20]);
        }
        String line = "*" + Base64.getEncoder().encodeToString(compressed.toByteArray());

        // then
        assertThatThrownBy(() -> Message.json(line.getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOf(IOException.class)
                .hasMessage("a compressed message is longer than 1024 KiB");
    }
}
