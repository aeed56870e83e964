package dev.neurontest.internal.lease.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.lease.store.LeaseState.EndedLease;
import dev.neurontest.internal.lease.store.SlotText.MalformedSlotException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotTextTest {

    private static final int ROOM = 16_384;

    private static EndedLease past(String holder) {
        return new EndedLease(3, 2, 4711, holder, List.of("neuron0/neuron_core0", "neuron0/neuron_core1"), List.of(1L));
    }

    private static byte[] text(String holder, int limit) {
        return SlotText.write(List.of(past(holder)), limit);
    }

    private static List<Record> read(byte[] slot) throws MalformedSlotException {
        return SlotText.read(slot, List.of(EndedLease.class));
    }

    private static String holder(byte[] slot) throws MalformedSlotException {
        return ((EndedLease) read(slot).get(0)).holder();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " !}~",
                "\t\n\u001f\u007f",
                "a\\b\\\\",
                "ends with \\",
                "\\u0041",
                "a=b, c",
                "größer 模型 \uD83D\uDE00"
            })
    void readsBackWrittenText(String holder) throws MalformedSlotException {
        // given
        byte[] slot = Arrays.copyOf(text(holder, ROOM), ROOM);

        // then
        assertThat(read(slot)).containsExactly(past(holder));
        assertThat(SlotText.length(slot)).isEqualTo(text(holder, ROOM).length);
    }

    @Test
    void readsTextThatFillsItsSlot() throws MalformedSlotException {
        // given
        int length = text("test", ROOM).length;

        // then
        assertThat(read(text("test", length))).containsExactly(past("test"));
    }

    @Test
    void readsNothingWhereNothingWasWritten() throws MalformedSlotException {
        // then
        assertThat(read(new byte[ROOM])).isEmpty();
        assertThat(SlotText.length(new byte[ROOM])).isZero();
    }

    @Test
    void refusesTextWithChangedByte() {
        // given
        byte[] whole = text("test", ROOM);

        for (int position = 1; position < whole.length; position++) {
            byte[] damaged = whole.clone();
            damaged[position] ^= 1;

            // then
            assertThatExceptionOfType(MalformedSlotException.class)
                    .as("byte %s", position)
                    .isThrownBy(() -> read(damaged));
        }
    }

    @Test
    void refusesTruncatedText() {
        // given
        byte[] whole = text("test", ROOM);

        for (int length = 2; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);

            // then
            assertThatExceptionOfType(MalformedSlotException.class).isThrownBy(() -> read(cut));
        }
    }

    @Test
    void cutsLongTextsOnlyWhereThereIsNoRoom() throws MalformedSlotException {
        // given
        String holder = "x".repeat(600);
        int whole = text(holder, ROOM).length;

        // then
        assertThat(holder(text(holder, whole))).isEqualTo(holder);
        assertThat(holder(text(holder, whole - 1))).isEqualTo("x".repeat(500) + "...");
        assertThat(holder(text(holder, 500))).isEqualTo("x".repeat(50) + "...");
        assertThat(holder(text("x".repeat(50), text("x".repeat(50), ROOM).length)))
                .isEqualTo("x".repeat(50));
        assertThat(text(holder, 100)).isEmpty();
    }

    @Test
    void lengthOfForeignTextIsZero() {
        // then
        assertThat(SlotText.length(" no text of this table".getBytes(StandardCharsets.US_ASCII)))
                .isZero();
    }
}
