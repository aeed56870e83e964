package dev.neurontest.internal.print.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.neurontest.print.DevicePrint;
import dev.neurontest.print.OddEvent;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.TensorBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EventStoreTest {

    @TempDir
    private Path folder;

    private final EventStore store = new EventStore(PrintOrigin.STREAM, new PrintLog(() -> folder));

    private static byte[] bytes(TensorBytes bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        bytes.copyTo(out);
        return out.toByteArray();
    }

    private OddEvent onlyOdd(EventFixture event) throws IOException {
        store.add(event.source(), 0);
        assertThat(store.prints()).isEmpty();
        assertThat(store.oddEvents()).hasSize(1);
        return store.oddEvents().get(0);
    }

    @Test
    void doesNotNumberUnreadableEvent() throws IOException {
        // given
        PrintEventSource event = EventFixture.counting("acc", 1).source();
        PrintEventSource broken = (PrintEventSource) Proxy.newProxyInstance(
                PrintEventSource.class.getClassLoader(),
                new Class<?>[] {PrintEventSource.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("copy") && (long) arguments[0] > 0) {
                        throw new IOException("gone");
                    }
                    return method.invoke(event, arguments);
                });
        store.add(event, 0);

        // when
        assertThatIOException().isThrownBy(() -> store.add(broken, 0));
        store.add(event, 0);
        store.flush();

        // then
        assertThat(store.prints()).extracting(DevicePrint::order).containsExactly(0L, 1L);
        assertThat(EventStore.of(PrintLog.open(folder.resolve(PrintLog.NAME))).prints())
                .hasSize(2);
    }

    @Nested
    class APrint {

        @Test
        void hasFieldsOfItsEvent() throws IOException {
            // given
            EventFixture event = EventFixture.print("acc")
                    .tensor("int32", new long[] {2, 3}, EventFixture.ints(1, 2, 3, 4, 5, 6))
                    .core(9)
                    .pipe(1);

            // when
            store.add(event.source(), 4);

            // then
            DevicePrint print = store.prints().get(0);
            assertThat(print)
                    .returns("acc", DevicePrint::prefix)
                    .returns("int32", DevicePrint::dtype)
                    .returns(List.of(2L, 3L), DevicePrint::shape)
                    .returns(4, DevicePrint::coreIndex)
                    .returns(9L, DevicePrint::coreId)
                    .returns(1L, DevicePrint::pipe)
                    .returns(PrintOrigin.STREAM, DevicePrint::origin);
            assertThat(bytes(print.data())).isEqualTo(EventFixture.ints(1, 2, 3, 4, 5, 6));
        }

        @Test
        void keepsReservedBytes() throws IOException {
            // when
            store.add(EventFixture.print("acc").source(), 0);

            // then
            TensorBytes reserved = store.prints().get(0).reserved();
            assertThat(reserved.size()).isEqualTo(416);
            assertThat(reserved.byteAt(0)).isEqualTo((byte) 7);
            assertThat(reserved.byteAt(415)).isEqualTo((byte) 9);
        }

        @Test
        void isAScalarWithoutAShape() throws IOException {
            // when
            store.add(EventFixture.counting("acc", 5).source(), 0);

            // then
            assertThat(store.prints().get(0).shape()).isEmpty();
            assertThat(store.prints().get(0).data().intAt(0)).isEqualTo(5);
        }

        @Test
        void hasUnterminatedPrefixOfFullLength() throws IOException {
            // given
            byte[] full = "p".repeat(512).getBytes(StandardCharsets.US_ASCII);

            // when
            store.add(EventFixture.print("").prefix(full).core(0x41414141).source(), 0);

            // then
            assertThat(store.prints().get(0).prefix()).isEqualTo("p".repeat(512));
        }

        @Test
        void hasAPrefixOfAnyBytes() throws IOException {
            // when
            store.add(
                    EventFixture.print("")
                            .prefix(new byte[] {'.', '.', '/', 7, (byte) 0xFF, 'x'})
                            .source(),
                    0);

            // then
            assertThat(store.prints().get(0).prefix()).isEqualTo("../\u0007\uFFFDx");
        }

        @Test
        void mayHaveUnknownDtype() throws IOException {
            // when
            store.add(
                    EventFixture.print("acc")
                            .tensor("complex7", new long[] {3}, new byte[21])
                            .source(),
                    0);

            // then
            assertThat(store.prints().get(0).dtype()).isEqualTo("complex7");
            assertThat(store.prints().get(0).data().size()).isEqualTo(21);
        }

        @ParameterizedTest
        @org.junit.jupiter.params.provider.ValueSource(ints = {1, 2, 4})
        void mayUseAnyDocumentedPacking(int bytesOfUnit) throws IOException {
            // when
            store.add(
                    EventFixture.print("acc")
                            .tensor("float4e2m1fn_x4", new long[] {8}, new byte[8 * bytesOfUnit])
                            .source(),
                    0);

            // then
            assertThat(store.prints()).hasSize(1);
        }

        @Test
        void omitsBytesBehindItsTensorWithNotice() throws IOException {
            // when
            store.add(
                    EventFixture.counting("acc", 5)
                            .followedBy(new byte[] {1, 2, 3})
                            .source(),
                    0);

            // then
            assertThat(store.prints().get(0).data().size()).isEqualTo(4);
            assertThat(store.notices())
                    .containsExactly("1 print has more bytes than its tensor; the extra bytes are omitted.");
        }

        @Test
        void isNumberedTogetherWithOddEvents() throws IOException {
            // when
            store.add(EventFixture.print("a").source(), 0);
            store.add(EventFixture.print("b").type(2).source(), 0);
            store.add(EventFixture.print("c").source(), 0);

            // then
            assertThat(store.prints()).extracting(DevicePrint::order).containsExactly(0L, 2L);
            assertThat(store.oddEvents()).extracting(OddEvent::order).containsExactly(1L);
        }

        @Test
        void isAbsentFromEarlierList() throws IOException {
            // given
            store.add(EventFixture.print("a").source(), 0);
            List<DevicePrint> before = store.prints();

            // when
            store.add(EventFixture.print("b").source(), 0);

            // then
            assertThat(before).hasSize(1);
            assertThat(store.prints()).extracting(DevicePrint::prefix).containsExactly("a", "b");
        }
    }

    @Nested
    class AnOddEvent {

        static Stream<Arguments> malformed() {
            return Stream.of(
                    Arguments.of(
                            EventFixture.print("acc").cutTo(1023),
                            "1023 bytes are less than the 1024 that every print has"),
                    Arguments.of(
                            EventFixture.print("acc").cutTo(0), "0 bytes are less than the 1024 that every print has"),
                    Arguments.of(
                            EventFixture.print("acc").saysData(5),
                            "tensor_data_size is 5, but only 4 bytes follow the fixed part"),
                    Arguments.of(
                            EventFixture.print("acc").saysData(-2),
                            "tensor_data_size is 18446744073709551614, but only 4 bytes follow the fixed part"),
                    Arguments.of(EventFixture.print("acc").shape(2, 0, 3), "dimension 1 of the shape [2, 0, 3] is 0"),
                    Arguments.of(
                            EventFixture.print("acc").shape(2, -1),
                            "dimension 1 of the shape [2, 18446744073709551615] is 18446744073709551615"),
                    Arguments.of(
                            EventFixture.print("acc").shape(1L << 40, 1L << 40),
                            "the shape [1099511627776, 1099511627776] has more elements than can be counted"),
                    Arguments.of(
                            EventFixture.print("acc").shape(1L << 62),
                            "4 bytes are not 4611686018427387904 elements of int32, shape [4611686018427387904]"),
                    Arguments.of(EventFixture.print("acc").shape(2), "4 bytes are not 2 elements of int32, shape [2]"),
                    Arguments.of(
                            EventFixture.print("acc").data(new byte[0]),
                            "0 bytes are not 1 elements of int32, shape []"),
                    Arguments.of(EventFixture.print("acc").type(7), "the event type 7 is unknown"),
                    Arguments.of(EventFixture.print("acc").type(0), "the event type 0 is unknown"),
                    Arguments.of(
                            EventFixture.print("acc").promises(4000),
                            "the header promises 4000 bytes, but there are 1028"),
                    Arguments.of(
                            EventFixture.print("acc").promises(Long.MIN_VALUE),
                            "the header promises 9223372036854775808 bytes, but there are 1028"));
        }

        @ParameterizedTest
        @MethodSource("malformed")
        void namesItsDefect(EventFixture event, String reason) throws IOException {
            // then
            assertThat(onlyOdd(event).reason()).isEqualTo(reason);
        }

        @Test
        void isKeptUnchanged() throws IOException {
            // given
            EventFixture event = EventFixture.print("acc").type(-1);

            // when
            OddEvent odd = onlyOdd(event);

            // then
            assertThat(bytes(odd.header())).isEqualTo(event.header());
            assertThat(bytes(odd.payload())).isEqualTo(event.payload());
            assertThat(odd.type()).isEqualTo(0xFFFFFFFFL);
        }

        @Test
        void isNotReadBeyondLengthInHeader() throws IOException {
            // when
            OddEvent odd = onlyOdd(EventFixture.print("acc").type(3).promises(10));

            // then
            assertThat(odd.payload().size()).isEqualTo(10);
        }
    }
}
