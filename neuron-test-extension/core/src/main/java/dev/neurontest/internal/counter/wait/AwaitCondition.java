package dev.neurontest.internal.counter.wait;

import java.math.BigInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a value. An unreadable value does not meet any condition.
 *
 * @param words text for messages
 * @param ofCounter true if it compares a number; attributes have no number
 * @param bounds limits of the number; null for a condition without limits
 */
record AwaitCondition(
        String words,
        boolean ofCounter,
        Predicate<AwaitedValue> test,
        @Nullable Bounds bounds) {

    static final AwaitCondition MOVED = new AwaitCondition("any change", true, value -> sign(value.rise()) != 0, null);

    /** Limits of a difference or a total; null for no limit. */
    private record Bounds(
            boolean ofRise,
            @Nullable BigInteger least,
            @Nullable BigInteger most) {

        static Bounds least(boolean ofRise, long least) {
            return new Bounds(ofRise, BigInteger.valueOf(least), null);
        }

        static Bounds most(boolean ofRise, long most) {
            return new Bounds(ofRise, null, BigInteger.valueOf(most));
        }

        boolean hold(AwaitedValue value) {
            BigInteger number = known(ofRise ? value.rise() : value.total());
            return (least == null || number.compareTo(least) >= 0) && (most == null || number.compareTo(most) <= 0);
        }

        boolean exclude(Bounds other) {
            return ofRise == other.ofRise && (beginsAbove(other) || other.beginsAbove(this));
        }

        private boolean beginsAbove(Bounds other) {
            return least != null && other.most != null && least.compareTo(other.most) > 0;
        }
    }

    private static AwaitCondition within(Bounds bounds, String words) {
        return new AwaitCondition(words, true, bounds::hold, bounds);
    }

    static AwaitCondition riseAtLeast(long rise) {
        return within(Bounds.least(true, rise), "at least " + signed(rise));
    }

    static AwaitCondition riseAtMost(long rise) {
        return within(Bounds.most(true, rise), "at most " + signed(rise));
    }

    static AwaitCondition totalAtLeast(long total) {
        return within(Bounds.least(false, total), "a total of at least " + total);
    }

    static AwaitCondition matching(Predicate<String> predicate, String description) {
        return new AwaitCondition(description, false, value -> predicate.test(value.text()), null);
    }

    /** Returns whether no value can meet both conditions. */
    boolean excludes(AwaitCondition other) {
        return bounds != null && other.bounds != null && bounds.exclude(other.bounds);
    }

    boolean isMet(AwaitedValue value) {
        return value.failure() == null && test.test(value);
    }

    private static String signed(long rise) {
        return rise > 0 ? "+" + rise : Long.toString(rise);
    }

    private static int sign(@Nullable BigInteger number) {
        return known(number).signum();
    }

    private static BigInteger known(@Nullable BigInteger number) {
        if (number == null) {
            throw new IllegalStateException("an attribute has no number");
        }
        return number;
    }
}
