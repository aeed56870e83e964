package dev.neurontest.internal.print.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.PrintFeed;
import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.OddEvent;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Fuzz tests of the messages of a process that forwards its prints. */
class ForwardedPrintsFuzzTest {

    private static final int HELLO = 16;
    private static final int PROTOCOL = 8;
    private static final int PROBE = 0;
    private static final int FRAME = 16;
    private static final int HEADER = 64;
    private static final int EVENT = 1;
    private static final int END = 6;

    @TempDir
    private Path folder;

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] hello() {
        return ByteBuffer.allocate(HELLO)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put("NTPRINTS".getBytes(StandardCharsets.US_ASCII))
                .putInt(1)
                .putInt(4711)
                .array();
    }

    private static byte[] frame(int kind, int core, byte[] content) {
        return ByteBuffer.allocate(FRAME + content.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(kind)
                .putInt(core)
                .putLong(content.length)
                .put(content)
                .array();
    }

    private static byte[] event(int core, EventFixture event) {
        return frame(EVENT, core, joined(event.header(), event.payload()));
    }

    private static byte[] end() {
        return frame(END, 0, new byte[0]);
    }

    private static byte[] prints() {
        return joined(
                hello(),
                frame(2, 0, new byte[0]),
                event(0, EventFixture.counting("acc", 1)),
                event(1, EventFixture.print("w").tensor("bfloat16", new long[] {2, 3}, new byte[12])),
                end());
    }

    private static byte[] troubles() {
        return joined(
                hello(),
                frame(3, 1, EventFixture.ints(2)),
                frame(4, 0, "no such symbol".getBytes(StandardCharsets.UTF_8)),
                frame(7, 1, EventFixture.ints(5, 0)),
                frame(8, 1, EventFixture.ints(64, 0, 64, 0)),
                frame(5, 0, EventFixture.ints(1, 0)),
                event(2, EventFixture.print("odd").type(9).data(new byte[0]).cutTo(8)),
                end());
    }

    /** An event, regardless of its division into frames. */
    private record Said(int core, ByteBuffer header, ByteBuffer payload) {}

    /** All whole events, and whether the messages ended normally. */
    private record Conversation(List<Said> events, boolean isOver) {}

    private static Conversation conversation(byte[] input) {
        ByteBuffer frames = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
        List<Said> events = new ArrayList<>();
        if (input.length < HELLO || frames.getInt(PROTOCOL) == PROBE) {
            return new Conversation(events, true);
        }
        for (long at = HELLO; at <= input.length - FRAME; ) {
            int frame = (int) at;
            long length = frames.getLong(frame + 8);
            if (length < 0 || length > input.length - FRAME - at) {
                break;
            }
            if (frames.getInt(frame) == END) {
                return new Conversation(events, true);
            }
            if (frames.getInt(frame) == EVENT && length >= HEADER) {
                events.add(new Said(
                        frames.getInt(frame + 4),
                        slice(frames, frame + FRAME, HEADER),
                        slice(frames, frame + FRAME + HEADER, (int) length - HEADER)));
            }
            at += FRAME + length;
        }
        return new Conversation(events, false);
    }

    private static ByteBuffer slice(ByteBuffer bytes, int from, int length) {
        return bytes.slice(from, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private PrintFeed said(byte[] input) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                SocketChannel process = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            ForwardedPrints prints = new ForwardedPrints(
                    server, folder.resolve("s"), null, folder, StreamOptions.DEFAULTS, new PrintLog(() -> folder));
            new ForwardingProcess(process, prints).read(new ByteArrayInputStream(input));
            return new GivenFeed(prints.prints(), prints.oddEvents(), prints.doubts(), prints.notices(), true);
        }
    }

    @Test
    void conversationIsReadExactlyOrDoubted() {
        // then
        Fuzzing.of(ForwardedPrintsFuzzTest.class, "forwarded")
                .seeds(prints(), troubles())
                .check(this::said, (input, prints) -> {
                    Conversation said = conversation(input);
                    List<Said> events = said.events();
                    int read = prints.prints().size() + prints.oddEvents().size();
                    assertThat(read).isLessThanOrEqualTo(events.size());
                    if (prints.doubts().isEmpty()) {
                        assertThat(read).isEqualTo(events.size());
                        assertThat(said.isOver()).isTrue();
                    }
                    for (DevicePrint print : prints.prints()) {
                        assertIs(print, events.get((int) print.order()));
                    }
                    for (OddEvent odd : prints.oddEvents()) {
                        Said event = events.get((int) odd.order());
                        assertThat(odd.type())
                                .isEqualTo(Integer.toUnsignedLong(event.header().getInt(8)));
                        assertThat(odd.payload().size())
                                .isLessThanOrEqualTo(event.payload().limit());
                    }
                    DevicePrints all = DevicePrints.of(prints, List.of());
                    assertThat(all.toText()).isNotEmpty();
                    assertThat(JsonMapper.shared().readTree(all.toJson()).isObject())
                            .isTrue();
                });
    }

    private static void assertIs(DevicePrint print, Said event) {
        ByteBuffer payload = event.payload();
        assertThat(print.coreIndex()).isEqualTo(event.core());
        assertThat(event.header().getLong(0)).isEqualTo(payload.limit());
        assertThat(print.data().size()).isEqualTo(payload.getLong(600));
        for (int at = 0; at < print.data().size(); at++) {
            assertThat(print.data().byteAt(at)).isEqualTo(payload.get(1024 + at));
        }
    }
}
