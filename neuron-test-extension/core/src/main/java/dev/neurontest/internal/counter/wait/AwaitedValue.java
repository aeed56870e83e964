package dev.neurontest.internal.counter.wait;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.Movement;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.counter.CounterText;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A value of a wait's target at one time and in one place: a core, a device, or the sum over several.
 *
 * @param where place as shown in messages
 * @param text content as shown by {@code cat}, without the line ending; the sum for several files
 * @param total null for an attribute
 * @param rise null for an attribute
 * @param words value as shown in messages; an attribute is shortened and has no control characters
 * @param failure reason for a missing value; null when there is a value
 */
record AwaitedValue(
        String where,
        String text,
        @Nullable BigInteger total,
        @Nullable BigInteger rise,
        String words,
        @Nullable String failure) {

    static AwaitedValue of(CounterChange change) {
        if (change.movement() == Movement.UNREADABLE) {
            return unreadable(change.where(), change.failures().get(0).getMessage());
        }
        String remark = CounterText.remark(change);
        return new AwaitedValue(
                change.where(),
                change.after().toString(),
                change.after(),
                change.delta(),
                "%s [%s%s]"
                        .formatted(
                                CounterText.after(change),
                                CounterText.delta(change),
                                remark.isEmpty() ? "" : ", " + remark),
                null);
    }

    static AwaitedValue ofAttribute(String where, String text) {
        return new AwaitedValue(where, text, null, null, NeuronSysfsException.quoted(text), null);
    }

    static AwaitedValue unreadable(String where, @Nullable String message) {
        String failure = String.valueOf(message);
        return new AwaitedValue(where, "", null, null, "unreadable", failure);
    }
}
