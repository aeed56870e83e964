package dev.neurontest.fake.internal.fuse.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the bytes of messages in the layout of {@code linux/fuse.h} on a little-endian machine. */
class MessagesTest {

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex.replaceAll("[ \n]", "")))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private static String hex(ByteBuffer buffer, int from) {
        return HexFormat.of().formatHex(buffer.array(), from, buffer.position());
    }

    private static ByteBuffer out() {
        return ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void requestHeaderIsFortyBytes() {
        ByteBuffer in = bytes("2e000000 01000000 0700000000000000 0100000000000000"
                + "e8030000 e8030000 39300000 00000000" + "737973 00");

        RequestHeader header = RequestHeader.take(in);

        assertThat(header).isEqualTo(new RequestHeader(46, Opcode.LOOKUP.number(), 7, 1));
        assertThat(NodeMessages.takeName(in)).isEqualTo("sys");
    }

    @Test
    void opcodesAreFoundByNumber() {
        for (Opcode opcode : Opcode.values()) {
            assertThat(Opcode.of(opcode.number())).isEqualTo(opcode);
        }
        assertThat(List.of(-1, 0, 7, 41, 53, 63, 64, 4096))
                .allSatisfy(number -> assertThat(Opcode.of(number)).isNull());
    }

    @Test
    void answerCarriesLengthAndRequestNumber() {
        ByteBuffer out = out();
        Reply reply = new Reply(out);

        reply.begin();
        FileMessages.putWritten(reply.body(), 4096);

        assertThat(reply.end(9)).isEqualTo(24);
        assertThat(hex(out, 0)).isEqualTo("18000000" + "00000000" + "0900000000000000" + "00100000" + "00000000");
    }

    @Test
    void failureIsAHeaderWithANegativeErrno() {
        ByteBuffer out = out();
        Reply reply = new Reply(out);

        reply.begin();
        reply.body().putLong(1);
        reply.fail(13);

        assertThat(reply.end(9)).isEqualTo(16);
        assertThat(hex(out, 0)).isEqualTo("10000000" + "f3ffffff" + "0900000000000000");
    }

    @Test
    void initAgreesOnOlderVersionAndCommonFlags() {
        // The message of a future kernel: longer, all flags, a higher minor version.
        SessionMessages.Init init = SessionMessages.Init.take(bytes("07000000 63000000 00000200 ffffffff ffffffff 00"));
        ByteBuffer out = out();

        assertThat(init.spoken()).isTrue();
        init.answer(out);

        assertThat(out.position()).isEqualTo(64);
        assertThat(hex(out, 0))
                .startsWith("07000000" + "1f000000" + "00000200" + "21608400" + "4000" + "3000" + "00200000");
    }

    @Test
    void kernelBefore731IsRefused() {
        assertThat(new SessionMessages.Init(7, 30, 0, 0).spoken()).isFalse();
        assertThat(new SessionMessages.Init(6, 40, 0, 0).spoken()).isFalse();
    }

    @Test
    void unofferedFlagsAreNotSet() {
        ByteBuffer out = out();

        new SessionMessages.Init(7, 31, 0, 0).answer(out);

        assertThat(out.getInt(12)).isZero();
    }

    @Test
    void entryIs128BytesWithTheAttributesIn88() {
        ByteBuffer out = out();

        new NodeMessages.Attributes(5, 6, NodeMessages.Type.FILE, 0644, 4096, 1000, 7, 8).answerEntry(out);

        assertThat(out.position()).isEqualTo(128);
        String day = "8051010000000000";
        assertThat(hex(out, 0))
                .isEqualTo("0500000000000000" + "0000000000000000" + day + day + "0000000000000000"
                        + "0600000000000000" + "0010000000000000" + "0000000000000000"
                        + "e803000000000000".repeat(3) + "00000000".repeat(3)
                        + "a4810000" + "01000000" + "07000000" + "08000000" + "00000000" + "00100000" + "00000000");
    }

    @Test
    void attributesAre104Bytes() {
        ByteBuffer out = out();

        new NodeMessages.Attributes(1, 1, NodeMessages.Type.LINK, 0777, 0, 0, 0, 0).answer(out);

        assertThat(out.position()).isEqualTo(104);
        assertThat(out.getInt(16 + 60)).isEqualTo(0120777);
    }

    @Test
    void openFlagsDefineReadAndWrite() {
        assertThat(FileMessages.Open.take(bytes("00800000"))).satisfies(read -> {
            assertThat(read.reads()).isTrue();
            assertThat(read.writes()).isFalse();
        });
        assertThat(FileMessages.Open.take(bytes("01020000"))).satisfies(write -> {
            assertThat(write.reads()).isFalse();
            assertThat(write.writes()).isTrue();
        });
        assertThat(FileMessages.Open.take(bytes("02000000"))).satisfies(both -> {
            assertThat(both.reads()).isTrue();
            assertThat(both.writes()).isTrue();
        });
    }

    @Test
    void openedFileIsReadDirectlyAndNotFlushed() {
        ByteBuffer out = out();

        FileMessages.putOpened(out, 3);

        assertThat(hex(out, 0)).isEqualTo("0300000000000000" + "21000000" + "00000000");
    }

    @Test
    void writtenBytesFollowAFortyByteHeader() {
        FileMessages.Write write = FileMessages.Write.take(
                bytes("0300000000000000 0010000000000000 02000000 00000000 0000000000000000 00000000 00000000 310a"));

        assertThat(write.handle()).isEqualTo(3);
        assertThat(write.content()).isEqualTo("1\n".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void pollIsAlwaysReadableAndWritableAndUrgentAfterAnEvent() {
        ByteBuffer out = out();

        FileMessages.Poll.answer(out, false);
        FileMessages.Poll.answer(out, true);

        assertThat(hex(out, 0)).isEqualTo("45010000" + "00000000" + "4f010000" + "00000000");
        assertThat(FileMessages.Poll.take(bytes("0300000000000000 0900000000000000 01000000 02000000")))
                .isEqualTo(new FileMessages.Poll(3, 9, true));
    }

    @Test
    void notificationsHaveACodeInsteadOfARequest() {
        ByteBuffer out = out();
        Reply notice = new Reply(out);

        notice.begin();
        Notification.putPoll(notice.body(), 9);
        notice.end(Notification.POLL);
        assertThat(hex(out, 0)).isEqualTo("18000000" + "01000000" + "0000000000000000" + "0900000000000000");

        notice.begin();
        Notification.putEntry(notice.body(), 4, "neuron0");
        notice.end(Notification.INVALIDATE_ENTRY);
        assertThat(hex(out, 0))
                .isEqualTo("28000000" + "03000000" + "0000000000000000" + "0400000000000000" + "07000000" + "00000000"
                        + "6e6575726f6e3000");
    }

    @Test
    void directoryEntriesAreAlignedToEightBytes() {
        ByteBuffer out = out();

        DirectoryMessages.putEntry(out, 5, 3, NodeMessages.Type.DIRECTORY, DirectoryMessages.bytes("dev"));

        assertThat(hex(out, 0))
                .isEqualTo("0500000000000000" + "0300000000000000" + "03000000" + "04000000" + "6465760000000000");
        assertThat(DirectoryMessages.size(DirectoryMessages.bytes("12345678"))).isEqualTo(32);
    }

    @Test
    void readsSingleAndBatchedForgets() {
        List<String> forgotten = new ArrayList<>();

        NodeMessages.takeForget(4, bytes("0200000000000000"), (node, lookups) -> forgotten.add(node + "x" + lookups));
        NodeMessages.takeForgets(
                bytes("02000000 00000000 0500000000000000 0100000000000000 0600000000000000 0300000000000000"),
                (node, lookups) -> forgotten.add(node + "x" + lookups));

        assertThat(forgotten).containsExactly("4x2", "5x1", "6x3");
    }

    @Test
    void statisticsAre80BytesWithoutBlocks() {
        ByteBuffer out = out();

        SessionMessages.putStatistics(out);

        assertThat(out.position()).isEqualTo(80);
        assertThat(out.getLong(0)).isZero();
        assertThat(out.getInt(40)).isEqualTo(4096);
    }

    @Test
    void setAttributesDetectsModeAndOwnerChanges() {
        assertThat(NodeMessages.SetAttributes.take(bytes("08000000")))
                .isEqualTo(new NodeMessages.SetAttributes(false, false));
        assertThat(NodeMessages.SetAttributes.take(bytes("01000000")))
                .isEqualTo(new NodeMessages.SetAttributes(true, false));
        assertThat(NodeMessages.SetAttributes.take(bytes("04000000")))
                .isEqualTo(new NodeMessages.SetAttributes(false, true));
    }
}
